// Go's readers and writers: READER IN OUT.
package main

import (
	"encoding/binary"
	"encoding/csv"
	"os"
	"strconv"
	"strings"

	"github.com/sbinet/npyio"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// again reads values of one type, and writes them.
func again[T int8 | int64](reader string, in, out *os.File, count int) {
	xs := make([]T, count)
	switch reader {
	case "npyio":
		check(npyio.Read(in, &xs))
		check(npyio.Write(out, xs))
	case "encoding/binary":
		check(binary.Read(in, binary.LittleEndian, xs))
		check(binary.Write(out, binary.LittleEndian, xs))
	case "encoding/csv":
		rows, err := csv.NewReader(in).ReadAll()
		check(err)
		for _, row := range rows[1:] {
			x, err := strconv.ParseInt(row[0], 10, 64)
			check(err)
			row[0] = strconv.FormatInt(int64(T(x)), 10)
		}
		check(csv.NewWriter(out).WriteAll(rows))
	}
}

func main() {
	in, err := os.Open(os.Args[2])
	check(err)
	out, err := os.Create(os.Args[3])
	check(err)
	if strings.HasPrefix(os.Args[2], "wide") {
		again[int64](os.Args[1], in, out, 20000)
	} else {
		again[int8](os.Args[1], in, out, 20000)
	}
	check(out.Close())
}
