//go:build ignore

// Build bundles web/src and web/style into static/dist and writes the manifest of
// their names. The same sources give the same bytes on every machine. With -tests it
// bundles web/test for node instead.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// Each entry becomes one asset. The one of the head is a classic script, which runs
// before the first paint; all else are modules.
var entries = []string{"src/home.ts", "src/viewer.ts", "src/head.ts", "style/style.css", "style/report.css"}

func main() {
	out := flag.String("out", "dist", "folder of the assets; what it held is removed")
	tests := flag.String("tests", "", "folder for the bundled tests, built instead of the assets")
	flag.Parse()
	var err error
	if *tests != "" {
		err = bundleTests("../web", *tests)
	} else {
		err = build("../web", *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "static:", err)
		os.Exit(1)
	}
}

func build(web, dist string) error {
	root, err := filepath.Abs(web)
	if err != nil {
		return err
	}
	out, err := filepath.Abs(dist)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:     root,
		EntryPoints:       entries,
		EntryNames:        "[name]-[hash]",
		Outdir:            out,
		Bundle:            true,
		MinifyWhitespace:  true,
		MinifySyntax:      true,
		MinifyIdentifiers: true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		LogLevel:          api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return fmt.Errorf("%d errors in web/", len(result.Errors))
	}
	names := map[string]string{}
	for _, f := range result.OutputFiles {
		base := filepath.Base(f.Path)
		stem, _, _ := strings.Cut(base, "-")
		names[stem+filepath.Ext(base)] = base
		if err := os.WriteFile(filepath.Join(out, base), f.Contents, 0o644); err != nil {
			return err
		}
	}
	icon, err := os.ReadFile(filepath.Join(root, "style/favicon.svg"))
	if err != nil {
		return err
	}
	sum := sha256.Sum256(icon)
	names["favicon.svg"] = fmt.Sprintf("favicon-%X.svg", sum[:4])
	if err := os.WriteFile(filepath.Join(out, names["favicon.svg"]), icon, 0o644); err != nil {
		return err
	}
	b, err := json.MarshalIndent(names, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "manifest.json"), append(b, '\n'), 0o644)
}

func bundleTests(web, dir string) error {
	root, err := filepath.Abs(web)
	if err != nil {
		return err
	}
	sources, err := filepath.Glob(filepath.Join(root, "test", "*.test.ts"))
	if err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: root,
		EntryPoints:   sources,
		Outdir:        dir,
		OutExtension:  map[string]string{".js": ".mjs"},
		Bundle:        true,
		Write:         true,
		Platform:      api.PlatformNode,
		Format:        api.FormatESModule,
		LogLevel:      api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return fmt.Errorf("%d errors in web/test", len(result.Errors))
	}
	return nil
}
