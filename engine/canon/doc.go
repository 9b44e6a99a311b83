// Package canon reads JSON strictly and writes it canonically.
//
// [Parse] turns bytes into a tree and refuses what JSON readers usually forgive: duplicate members, invalid UTF-8,
// lone surrogates, integers that a double can't hold, a depth over 64. [Encode] writes the canonical form of
// RFC 8785 (JCS), from which alone every digest of a record is taken. Equal values give equal bytes on every machine.
// Rules: pack format, section 4. The package imports nothing of this module.
package canon
