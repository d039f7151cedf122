//go:build !race

package raced

const detector = false
