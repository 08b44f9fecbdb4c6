// Client of a tile log made of Go's own packages: verifies the signed checkpoint, then proves every
// entry and every earlier tree to be of it. Arguments: address of the log, verifier key.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

type reader struct{ base string }

func (reader) Height() int                         { return height }
func (reader) SaveTiles([]tlog.Tile, [][]byte)     {}
func (r reader) ReadTiles(tiles []tlog.Tile) (data [][]byte, err error) {
	for _, tile := range tiles {
		path := strings.TrimPrefix(tile.Path(), fmt.Sprintf("tile/%d/", height))
		data = append(data, fetch(r.base+"/tile/"+path))
	}
	return data, nil
}

func fetch(url string) []byte {
	answer, err := http.Get(url)
	check(err)
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		log.Fatalf("%s: %s", url, answer.Status)
	}
	body, err := io.ReadAll(answer.Body)
	check(err)
	return body
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func entries(base string, size int64) (found [][]byte) {
	for number := int64(0); number*256 < size; number++ {
		url := fmt.Sprintf("%s/tile/entries/%03d", base, number)
		if width := size - number*256; width < 256 {
			url += fmt.Sprintf(".p/%d", width)
		}
		bundle := fetch(url)
		for len(bundle) > 0 {
			end := 2 + int(binary.BigEndian.Uint16(bundle))
			found, bundle = append(found, bundle[2:end]), bundle[end:]
		}
	}
	return found
}

func main() {
	base := os.Args[1]
	verifier, err := note.NewVerifier(os.Args[2])
	check(err)
	signed, err := note.Open(fetch(base+"/checkpoint"), note.VerifierList(verifier))
	check(err)
	var tree tlog.Tree
	lines := strings.Split(signed.Text, "\n")
	if lines[0] != verifier.Name() {
		log.Fatalf("origin %q", lines[0])
	}
	_, err = fmt.Sscan(lines[1], &tree.N)
	check(err)
	tree.Hash, err = tlog.ParseHash(lines[2])
	check(err)
	hashes := tlog.TileHashReader(tree, reader{base})
	all := entries(base, tree.N)
	for number, entry := range all {
		index := int64(number)
		proof, err := tlog.ProveRecord(tree.N, index, hashes)
		check(err)
		check(tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(entry)))
		older, err := tlog.TreeHash(index+1, hashes)
		check(err)
		growth, err := tlog.ProveTree(tree.N, index+1, hashes)
		check(err)
		check(tlog.CheckTree(growth, tree.N, tree.Hash, index+1, older))
	}
	fmt.Printf("%d entries of %d\n", len(all), tree.N)
}
