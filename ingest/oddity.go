package ingest

// words are what anomalies of a kind are called and what they mean for who looks at the set, in whole sentences.
type words struct{ what, means string }

// oddities has every kind of anomaly that readers and models tell of; docs/format/ctf-notes.md says exactly when.
var oddities = map[string]words{
	"lost-events":             {"Events were lost by the tracer.", "It wrote faster than its buffers were emptied. From a loss to the next event that tells of them, states are drawn as unknown and messages may lack an end. Larger sub-buffers (lttng enable-channel --subbuf-size) or fewer kinds of events prevent it."},
	"lost-packets":            {"Whole packets of events are missing.", "Nobody knows how many events were in them. From the gap on, states are drawn as unknown until an event tells of them. Snapshots and overwritten or streamed trace files have such gaps by nature."},
	"packet-overlap":          {"A packet begins before the one ahead of it ends.", "All events were read, each at the time that it states. Early LTTng and recordings in overwrite mode do this; nothing has to be done."},
	"copy-differs":            {"A packet is there twice, with other contents.", "Both have the same number and the same times. The one in the earlier file was read; one of the files is probably damaged."},
	"time-back":               {"An event is earlier than the one ahead of it.", "It was read, in the order in which the file has it. Where states depend on the order of both they may be off by that much."},
	"bad-count":               {"A counter of lost events or of packets runs backwards.", "It was taken as restarted. How many events were lost there is not known."},
	"truncated":               {"A file ends in the middle of a packet.", "The recording broke off, or the file was copied while it was being written. Everything before the end was read; stop the session (lttng stop, lttng destroy) before copying."},
	"large-event":             {"An event claims to be larger than 16 MiB.", "It and what is left of its packet were left out; the file is probably damaged."},
	"unknown-event":           {"An event has a number that the metadata does not describe.", "What is left of its packet was left out. The metadata file is probably older than the recording, or that of another."},
	"bad-event":               {"An event contradicts its description.", "What is left of its packet was left out; the file is probably damaged."},
	"empty-event":             {"An event takes no space at all.", "What is left of its packet was left out; the metadata is probably wrong."},
	"bad-packet":              {"The sizes in a packet's header contradict each other.", "As much of the packet was read as can be believed, and reading went on with the next one that begins as a packet does."},
	"bad-magic":               {"No packet begins where one should.", "The bytes up to the next packet were skipped. The file is damaged, or it is none of this trace."},
	"wrong-trace":             {"A packet belongs to another trace.", "It was skipped. Files of two recordings are mixed in this folder."},
	"unknown-stream":          {"A packet is of a stream that the metadata does not describe.", "It was skipped. The metadata file is probably that of another recording."},
	"coarse-clock":            {"A clock shows time in large steps.", "What it recorded happened at the time stated or up to a step later, and nothing tells the order within a step. Clocks are related all the same: messages are taken to be received as late as that allows, and the errors stated include it. A finer clock (CLOCK_MONOTONIC, not its coarse form; ns in place of ms) would be known that much better."},
	"copy":                    {"A trace, or packets of one, were given twice.", "What is there twice was read once, so nothing is counted double. Snapshots that follow each other soon have packets in common."},
	"clock-range":             {"A time is beyond what 64 bits of nanoseconds hold.", "It is held at the nearest time there is. The clock's origin in the metadata is probably wrong."},
	"clock-set":               {"The clock of the day was set between two recordings of one machine.", "The clock that times events went on, so all that was recorded there is in its order, and these recordings have their times by the day that a later one says, or the kernel's of the same session. Other programs print other times of them."},
	"far-time":                {"Events have times that cannot be shown, before 1833 or after 2107.", "They are left out of all views; all else of the trace is shown. A clock was set wrong, the metadata names a wrong origin of it, or the file is damaged there."},
	"unknown-to-the-end":      {"After a loss nothing tells any more what became of some threads or CPUs.", "They are drawn as unknown to the end of the recording."},
	"some-threads":            {"Switches of some threads alone were recorded.", "Where a thread that was not followed takes a CPU and leaves it is not known, so CPUs and threads are drawn as unknown but where a thread that was followed was seen. Record all (lttng untrack -k --all, no filter on sched_switch), or add the context tid."},
	"some-calls":              {"Of some system calls only the beginnings, or only the ends, were recorded.", "In which call threads are is drawn as unknown from when that showed: of all, or of those that are in the calls named. A filter of lttng enable-event --syscall holds for the ends of calls as well, which do not have the fields of their beginnings. Record system calls without one."},
	"no-stream":               {"Some CPUs recorded nothing while threads waited for them.", "The files of their streams are missing or cannot be read, or all that was in them is lost. What ran there is not known, nor what any thread did that runs on no other CPU, for it may have been there. Was the whole folder copied?"},
	"too-many-rows":           {"A host has more threads, requests and values of applications than it can have rows of.", "What is past the limit is in no row, and its states are not shown; its events and messages are. A shorter recording, or fewer declarations of states, have room for all."},
	"no-events":               {"A host's traces hold no events.", "The host has an empty row. Was the session started (lttng start)?"},
	"full-history":            {"A host has more threads and processes than its states can be kept of.", "Its states are shown until then, and are unknown from then on; its events and messages are shown to the end. A shorter recording, or several one after the other, have room for all."},
	hostFailed:                {"A host could not be read to its end.", "What was read before is shown; nothing after it is known."},
	"no-history":              {"The states of a host cannot be read.", "Nothing of the host is shown. A file of its states is damaged or gone; it is made again when the program starts next, if the traces it was made from are still there. If they are not, import the archive again."},
	"damaged-history":         {"A part of the states of a host cannot be read.", "What lies in that part is not answered; other hosts and other times are. The host is read again when the program starts next, if its traces are still there. If they are not, import the archive again."},
	"damaged-losses":          {"When events were lost on a host cannot be read.", "That some were is known, and how many; not when. The host is read again when the program starts next, if its traces are still there. If they are not, import the archive again."},
	"damaged-messages":        {"The ends of messages that a host noted cannot be read.", "Messages that are kept are shown, but the set cannot be synchronized anew, nor messages be made again. The host is read again when the program starts next, if its traces are still there. If they are not, import the archive again."},
	earlierModel:              {"An earlier version of this program built the states of a host.", "What it could not tell yet, or told wrongly, is as it was. Start the program once with --rebuild to have the states built anew from the traces."},
	noTrace:                   {"An archive or folder holds no trace.", "It adds nothing to the set. A trace is a folder that holds a file called metadata."},
	packedTrace:               {"An archive holds another archive.", "What is in the inner one is in no view: it was not unpacked. If there are traces in it, unpack the outer one, and drop what is in it on a page of this set, which makes another one of all."},
	"unreadable-declarations": {"A file that declares what events mean, or what functions are called, cannot be understood.", "The set was read without it."},
	passedOver:                {"A text in an archive is not used.", "One of its kind was given by itself, and holds in its place. If both are meant, put all of it into that one."},
	"unmet-declaration":       {"A declaration fits nothing, names a field that no such event has, or fits nothing that a line before it has not taken.", "Nothing comes of it, no state and no message; but where only the field of what= is missing, states have the name of their kind and an end ends the newest. In a file called synchroscope-states or synchroscope-endpoints a name may be misspelt, the event was not recorded, or another line means the same events."},
	"unmet-symbols":           {"What functions are called is told in vain, or in two ways.", "Those functions are called by where they lie in their files, or by their addresses."},
	"nameless-functions":      {"Functions have no names.", "They are called by where they lie in their files, which addr2line looks up, or by their addresses. All else of them is as it was recorded."},
	damagedArchive:            {"An archive is damaged or cut off.", "The files in it that are known to be as they were packed are imported; the others, and what would have followed, are missing from all views. A set takes no archive once its import has begun: repair the archive, drop it, by the name it had, on a page of this set, which makes another one of all, and delete this one."},
	unreadableArchive:         {"An archive cannot be read.", "Nothing of it is in this set; the others are imported. A set takes no archive once its import has begun: repair the archive, drop it, by the name it had, on a page of this set, which makes another one of all, and delete this one."},
	unreadableTrace:           {"A trace cannot be read.", "It is left out of all views. Its metadata file is damaged or of a format that is not known."},
}

// harmless are the kinds by which nothing is missing, and nothing wrong.
var harmless = map[string]bool{"packet-overlap": true, "copy": true}

// wordsOf are the words for a kind. One without is told by its name.
func wordsOf(kind string) words {
	if w, ok := oddities[kind]; ok {
		return w
	}
	return words{what: "Something is odd (" + kind + ")."}
}
