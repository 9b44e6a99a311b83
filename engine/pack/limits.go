package pack

// Limits bound what a reader takes on, pack format section 10. Passing one doesn't make a pack wrong: what lies
// beyond is reported as not checked. An archive that passes one is refused.
type Limits struct {
	FileBytes      int64 // of one payload file
	Files          int   // of the payload
	PayloadBytes   int64 // of the whole payload
	ManifestBytes  int64 // of one manifest
	Signatures     int   // files under signatures/
	SignatureBytes int64 // of one of them
	ArchiveBytes   int64 // that an archive gives in all
	ArchiveRatio   int64 // of bytes out to bytes in, of one entry
}

// DefaultLimits are the limits in force where nothing else is said.
func DefaultLimits() Limits {
	const mib, gib = 1 << 20, 1 << 30
	return Limits{
		FileBytes: 512 * mib, Files: 200_000, PayloadBytes: 4 * gib, ManifestBytes: 64 * mib,
		Signatures: 16, SignatureBytes: 16 << 10,
		ArchiveBytes: 4*gib + gib/2, ArchiveRatio: 200,
	}
}

// orDefault takes the zero value as "nothing else is said".
func (l Limits) orDefault() Limits {
	if l == (Limits{}) {
		return DefaultLimits()
	}
	return l
}
