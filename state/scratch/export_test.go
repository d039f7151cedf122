package scratch

import "time"

// Due tells whether a file is let go of once more, after so long in which the process was given so many pages and took so much processor time.
func Due(after, cpu time.Duration, pages int64) bool {
	then := spent{time.Unix(1, 0), time.Hour, 1000}
	return then.longAgo(spent{then.at.Add(after), then.cpu + cpu, then.pages + pages})
}

// LetGo lets go of the file of a space, whenever it did so last.
func LetGo(s *Space) {
	if s.Grown() {
		s.file.letGo()
	}
}

// End ends the file of a space, of which nothing may be used any more.
func End(s *Space) {
	s.file.close()
	s.file.regions = nil
}
