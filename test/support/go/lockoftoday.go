package main

import (
	"crypto/rand"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/samuel/go-zookeeper/zk"
)

// lockOfToday locks by the rule of go-zookeeper/zk since 1.0.3, which is newer than Debian's package: the number stands behind
// the last "lock-" or, in a name without it, behind the last "__"; each child counts, and one without a number ends the attempt.
type lockOfToday struct {
	conn      *zk.Conn
	directory string
	own       string
}

func numberOf(name string) (int, error) {
	for _, marker := range []string{"lock-", "__"} {
		if at := strings.LastIndex(name, marker); at >= 0 {
			return strconv.Atoi(name[at+len(marker):])
		}
	}
	return strconv.Atoi(name)
}

// Lock joins the queue and returns when it holds. After an error its node stays.
func (l *lockOfToday) Lock() error {
	id := make([]byte, 16)
	if _, err := rand.Read(id); err != nil {
		return err
	}
	if err := ensure(l.conn, l.directory); err != nil {
		return err
	}
	prefix := fmt.Sprintf("%s/_c_%x-lock-", l.directory, id)
	own, err := l.conn.Create(prefix, nil, zk.FlagEphemeral|zk.FlagSequence, zk.WorldACL(zk.PermAll))
	if err != nil {
		return err
	}
	for {
		before, err := l.predecessor(path.Base(own))
		if err != nil {
			return err
		}
		if before == "" {
			l.own = own
			return nil
		}
		_, _, changed, err := l.conn.GetW(l.directory + "/" + before)
		if err == zk.ErrNoNode {
			continue
		}
		if err != nil {
			return err
		}
		if event := <-changed; event.Err != nil {
			return event.Err
		}
	}
}

// predecessor returns the child with the highest of the lower numbers, or "" when the own number is the lowest.
func (l *lockOfToday) predecessor(own string) (string, error) {
	number, err := numberOf(own)
	if err != nil {
		return "", err
	}
	children, _, err := l.conn.Children(l.directory)
	if err != nil {
		return "", err
	}
	highest, before := -1, ""
	for _, child := range children {
		other, err := numberOf(child)
		if err != nil {
			return "", err
		}
		if other < number && other > highest {
			highest, before = other, child
		}
	}
	return before, nil
}

func (l *lockOfToday) Unlock() error {
	if l.own == "" {
		return zk.ErrNotLocked
	}
	if err := l.conn.Delete(l.own, -1); err != nil {
		return err
	}
	l.own = ""
	return nil
}

func ensure(conn *zk.Conn, directory string) error {
	made := ""
	for _, part := range strings.Split(directory, "/")[1:] {
		made += "/" + part
		_, err := conn.Create(made, nil, 0, zk.WorldACL(zk.PermAll))
		if err != nil && err != zk.ErrNodeExists {
			return err
		}
	}
	return nil
}
