package scenario

import (
	"synchroscope/simulate/clock"
	"synchroscope/simulate/network"
)

// The keys of each statement.

func hostFields(h *Host) []field {
	return []field{whole("cpus", units{"": 1}, &h.CPUs), name("behind", &h.Behind), flag("untraced", &h.Untraced)}
}

func clockFields(c *clock.Spec) []field {
	return []field{
		duration("offset", &c.Offset), ppm("rate", &c.Rate), ppm("ageing", &c.Ageing), ppm("walk", &c.Walk),
		duration("resolution", &c.Resolution), whole("frequency", hertzUnits, &c.Frequency), duration("uptime", &c.Uptime),
	}
}

func waveFields(w *clock.Wave) []field {
	return []field{ppm("amplitude", &w.Amplitude), duration("period", &w.Period), plain("phase", &w.Phase)}
}

func stepFields(s *clock.Step) []field {
	return []field{duration("at", &s.At), duration("by", &s.By)}
}

func rebootFields(r *clock.Reboot) []field {
	return []field{duration("at", &r.At), duration("down", &r.Down), duration("offset", &r.Offset), ppm("rate", &r.Rate)}
}

func tracingFields(t *Tracing) []field {
	return []field{
		duration("start", &t.Start), duration("stop", &t.Stop),
		whole("subbuffer", bytesUnits, &t.SubBuffer), whole("subbuffers", units{"": 1}, &t.SubBuffers),
		whole("rate", bytesUnits, &t.Rate), duration("wake", &t.Wake),
		chanceOf("loss", &t.Loss), flag("cut", &t.Cut), list("omit", &t.Omit),
	}
}

func kernelFields(k *Kernel) []field {
	return []field{
		duration("slice", &k.Slice), duration("tick", &k.Tick), plain("faults", &k.PageFaults), chanceOf("migrate", &k.Migrate),
		whole("segment", bytesUnits, &k.Segment), whole("coalesce", bytesUnits, &k.Coalesce),
	}
}

func addressFields(a *Address) []field {
	return []field{duration("at", &a.At), address("ip", &a.IP)}
}

func switchFields(s *Switch) []field {
	return []field{flag("nat", &s.NAT)}
}

func linkFields(l *network.LinkSpec) []field {
	return []field{
		duration("propagation", &l.Propagation), whole("rate", bitUnits, &l.Rate), whole("queue", bytesUnits, &l.Queue),
		duration("jitter", &l.Jitter), chanceOf("tail", &l.Tail), duration("tail_least", &l.TailLeast),
		plain("tail_alpha", &l.TailAlpha), duration("tail_most", &l.TailMost),
		chanceOf("outliers", &l.Outliers), duration("outlier_by", &l.OutlierBy),
		chanceOf("loss", &l.Loss), plain("loss_burst", &l.LossBurst), chanceOf("duplicate", &l.Duplicate),
		chanceOf("reorder", &l.Reorder), duration("reorder_by", &l.ReorderBy),
	}
}
