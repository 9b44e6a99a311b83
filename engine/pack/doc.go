// Package pack knows evidence packs: how one is laid out, read and checked.
//
// A pack is a BagIt bag. [TagFiles] makes its four bag files and its id from the payload, [WriteZIP] its archive;
// [OpenTarget] takes a folder, .zip or .tar in, archives without extracting them, and [Verify] checks the bag and
// reports by the ids B01 to B14. [Open] reads the content of a pack into values. The package writes no file, opens no
// connection, and needs no key; the format is described in schema/PACK.md.
package pack
