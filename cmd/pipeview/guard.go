package main

import (
	"fmt"
	"net/http"
	"slices"
)

// policy lets a page load and ask nothing but its own server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guarded refuses requests that another machine, name or page makes, and says to browsers what the page may do.
// A name of another host that leads here (DNS rebinding) is refused by the Host that it sends.
func (s *server) guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if !slices.Contains(s.hosts, r.Host) {
			refuse(w, http.StatusMisdirectedRequest, fmt.Sprintf("this page has the address http://%s/ only",
				s.hosts[0]))
			return
		}
		origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
		own := origin == "" || slices.ContainsFunc(s.hosts, func(host string) bool { return origin == "http://"+host })
		if !own || site == "cross-site" || site == "same-site" {
			refuse(w, http.StatusForbidden, "requests of other pages are refused")
			return
		}
		next.ServeHTTP(w, r)
	})
}
