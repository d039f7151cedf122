// Synchroscope shows the traces of several machines on one time axis.
//
// Every sub-command is a row of the table below and one file beside this one.
// A command exits 0 on success, 1 when the input is at fault, after one plain
// sentence on stderr, and 2 on wrong usage.
package main

import (
	"fmt"
	"io"
	"os"
)

// Exit codes of all commands.
const (
	exitOK    = 0
	exitFault = 1 // the input is at fault
	exitUsage = 2

	exitInterrupt = 130 // what shells make of SIGINT
)

// A command is what follows the program's name.
type command struct {
	name, does string
	run        func(args []string, stdout, stderr io.Writer) int
}

var commands = []command{
	{"serve", "run the web application", serveCommand},
	{"demo", "run it with a recording of four machines", demoCommand},
	{"events", "decode and print the events of all traces, merged by time", eventsCommand},
	{"check", "report what traces hold and what is wrong with them", checkCommand},
	{"sync", "match messages, synchronize the clocks and print the result", syncCommand},
	{"build", "import a trace set into a data directory without a server", buildCommand},
	{"state", "print the state of a set at a time", stateCommand},
	{"simulate", "write the traces of a simulated cluster, and the truth about it", simulateCommand},
	{"tree", "look into a history tree file", treeCommand},
	{"health", "ask a running server whether it is alive", healthCommand},
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return exitUsage
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		usage(stdout)
		return exitOK
	}
	for _, c := range commands {
		if c.name == args[0] {
			return c.run(args[1:], stdout, stderr)
		}
	}
	fmt.Fprintf(stderr, "synchroscope: there is no command %q; synchroscope -h lists them\n", args[0])
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprint(w, "Synchroscope shows the traces of several machines on one time axis.\n\nUsage: synchroscope COMMAND [FLAGS] [PATH...]\n\n")
	for _, c := range commands {
		fmt.Fprintf(w, "  %-9s %s\n", c.name, c.does)
	}
	fmt.Fprint(w, "\nA PATH is a trace directory, a directory with traces at any depth, or an archive\n(zip, tar, tar.gz, tar.xz, tar.zst). synchroscope COMMAND -h tells more.\n")
}
