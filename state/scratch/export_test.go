package scratch

// LetGo lets go of the file of a space, whenever it did so last.
func LetGo(s *Space) {
	if s.Grown() {
		s.file.letGo()
	}
}
