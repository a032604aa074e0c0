// Package main runs go-zookeeper's lock on request: one JSON line in, one JSON line out. It ends when its standard input
// ends. Contenders that name the same session share it, each with a goroutine of its own.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/samuel/go-zookeeper/zk"
)

// request is one line from the test.
type request struct {
	ID               int64  `json:"id"`
	Command          string `json:"command"`
	Contender        string `json:"contender"`
	Recipe           string `json:"recipe"`
	Path             string `json:"path"`
	CounterPath      string `json:"counterPath"`
	Session          string `json:"session"`
	SessionTimeoutMs int    `json:"sessionTimeoutMs"`
}

type reply struct {
	ID    int64       `json:"id"`
	OK    interface{} `json:"ok"`
	Error string      `json:"error,omitempty"`
}

// locker is what zk.Lock offers.
type locker interface {
	Lock() error
	Unlock() error
}

type contender struct {
	conn  *zk.Conn
	lock  locker
	mutex sync.Mutex
	holds bool
	// failure is empty unless the last attempt ended without the lock.
	failure string
}

type state struct {
	Holds   bool    `json:"holds"`
	Failure *string `json:"failure"`
}

type contenders struct {
	server   string
	sessions map[string]*zk.Conn
	running  map[string]*contender
}

func open(server string, timeoutMs int) (*zk.Conn, error) {
	if timeoutMs == 0 {
		timeoutMs = 30000
	}
	conn, events, err := zk.Connect([]string{server}, time.Duration(timeoutMs)*time.Millisecond, zk.WithLogInfo(false))
	if err != nil {
		return nil, err
	}
	deadline := time.After(15 * time.Second)
	for {
		select {
		case event := <-events:
			if event.State == zk.StateHasSession {
				return conn, nil
			}
		case <-deadline:
			conn.Close()
			return nil, errors.New("no connection to " + server)
		}
	}
}

func (all *contenders) start(r request) (interface{}, error) {
	name := r.Session
	if name == "" {
		name = "of " + r.Contender
	}
	conn := all.sessions[name]
	if conn == nil {
		opened, err := open(all.server, r.SessionTimeoutMs)
		if err != nil {
			return nil, err
		}
		conn = opened
		all.sessions[name] = conn
	}
	one := &contender{conn: conn}
	switch r.Recipe {
	case "lock":
		one.lock = zk.NewLock(conn, r.Path, zk.WorldACL(zk.PermAll))
	case "lockOfToday":
		one.lock = &lockOfToday{conn: conn, directory: r.Path}
	default:
		return nil, errors.New("unknown recipe " + r.Recipe)
	}
	all.running[r.Contender] = one
	return strconv.FormatInt(conn.SessionID(), 10), nil
}

func (one *contender) begin() {
	err := one.lock.Lock()
	one.mutex.Lock()
	defer one.mutex.Unlock()
	one.holds = err == nil
	one.failure = ""
	if err != nil {
		one.failure = err.Error()
	}
}

func (one *contender) release() error {
	err := one.lock.Unlock()
	one.mutex.Lock()
	defer one.mutex.Unlock()
	one.holds = one.holds && err != nil
	return err
}

func (one *contender) state() state {
	one.mutex.Lock()
	defer one.mutex.Unlock()
	if one.failure == "" {
		return state{Holds: one.holds}
	}
	failure := one.failure
	return state{Holds: one.holds, Failure: &failure}
}

func increment(conn *zk.Conn, path string) error {
	data, _, err := conn.Get(path)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(string(data))
	if err != nil {
		return err
	}
	_, err = conn.Set(path, []byte(strconv.Itoa(number+1)), -1)
	return err
}

// end closes the session in order, whichever of its contenders waits or holds.
func (all *contenders) end(conn *zk.Conn) {
	for name, one := range all.running {
		if one.conn == conn {
			delete(all.running, name)
		}
	}
	for name, other := range all.sessions {
		if other == conn {
			delete(all.sessions, name)
		}
	}
	conn.Close()
}

func (all *contenders) obey(r request) (interface{}, error) {
	if r.Command == "start" {
		return all.start(r)
	}
	if r.Command == "states" {
		states := map[string]state{}
		for name, one := range all.running {
			states[name] = one.state()
		}
		return states, nil
	}
	one := all.running[r.Contender]
	if one == nil {
		return nil, errors.New("no contender " + r.Contender)
	}
	switch r.Command {
	case "begin":
		go one.begin()
		return true, nil
	case "release":
		return true, one.release()
	case "increment":
		return true, increment(one.conn, r.CounterPath)
	case "end":
		all.end(one.conn)
		return true, nil
	}
	return nil, errors.New("unknown command " + r.Command)
}

func main() {
	all := &contenders{server: os.Args[1], sessions: map[string]*zk.Conn{}, running: map[string]*contender{}}
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			continue
		}
		ok, err := all.obey(r)
		answer := reply{ID: r.ID, OK: ok}
		if err != nil {
			answer.Error = err.Error()
		}
		if err := out.Encode(answer); err != nil {
			break
		}
	}
	for _, conn := range all.sessions {
		conn.Close()
	}
}
