// Helm for the tests of the chart: Helm 4's own command line, and one command of ours that renders many values files in one process with Helm 3,
// since a process for each takes longer than all the rest. Between them both major versions read the chart.
//
//	helm ARGUMENT...    as Helm itself
//	helm each CHART     renders what stands in standard input: a JSON array of `job`; prints an array of `rendering`
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"helm.sh/helm/v4/pkg/cmd"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 2 && args[0] == "each" {
		return renderEach(args[1])
	}
	command, err := cmd.NewRootCmd(os.Stdout, args, cmd.SetupLogging)
	if err != nil {
		return err
	}
	return command.Execute()
}

func renderEach(path string) error {
	var jobs []job
	if err := json.NewDecoder(os.Stdin).Decode(&jobs); err != nil {
		return err
	}
	renderings, err := renderAll(path, jobs)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(renderings)
}
