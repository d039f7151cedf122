package handlers

import (
	"compress/gzip"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"

	"synchroscope/static"
)

// securityHeaders go with every answer. No page has inline scripts or styles;
// the viewer sets style properties through the CSSOM, which the policy allows.
var securityHeaders = map[string]string{
	"Content-Security-Policy": "default-src 'self'; connect-src 'self'; img-src 'self' data:; style-src 'self'; " +
		"frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
	"X-Content-Type-Options":     "nosniff",
	"Referrer-Policy":            "same-origin",
	"Cross-Origin-Opener-Policy": "same-origin",
}

// wrap puts everything around the routes that holds for all of them, the
// outermost last.
func (s *Server) wrap(h http.Handler) http.Handler {
	sameOrigin := http.NewCrossOriginProtection()
	sameOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, failure{http.StatusForbidden, "Another site's page may not change anything here."})
	}))
	h = sameOrigin.Handler(h)
	h = s.known(h)
	h = withHeaders(h)
	h = s.recovered(h)
	return s.logged(h)
}

func withHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range securityHeaders {
			w.Header().Set(name, value)
		}
		next.ServeHTTP(w, r)
	})
}

// compressed has pages and JSON go compressed to who takes gzip, by the rules of the protocol, which those of the middleware are not.
func compressed(next http.Handler) http.Handler {
	small := middleware.Compress(gzip.BestSpeed, "application/json", "text/html")(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if static.TakesGzip(r.Header.Values("Accept-Encoding")) {
			small.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Vary", "Accept-Encoding")
		next.ServeHTTP(w, r)
	})
}

// known refuses requests for a host that is not this server's.
func (s *Server) known(next http.Handler) http.Handler {
	if len(s.options.Hosts) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.Host
		if host, _, err := net.SplitHostPort(name); err == nil {
			name = host
		}
		name = strings.ToLower(strings.Trim(name, "[]"))
		if !slices.Contains(s.options.Hosts, name) {
			s.fail(w, r, failure{http.StatusForbidden, "This server does not go by that name; use the address it printed."})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// recovered turns a panic into an answer and a line in the log.
func (s *Server) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch p := recover(); p {
			case nil:
			case http.ErrAbortHandler:
				panic(p)
			default:
				s.log.Error("a request panicked", "method", r.Method, "path", r.URL.Path, "panic", p, "stack", string(debug.Stack()))
				if wrapped, ok := w.(middleware.WrapResponseWriter); !ok || wrapped.Status() == 0 {
					s.fail(w, r, errInternal)
				}
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// logged writes a line per request, at debug level for what pages and machines
// fetch by the dozen.
func (s *Server) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		wrapped := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		defer func() {
			level := slog.LevelInfo
			if r.Method == http.MethodGet && wrapped.Status() < 400 {
				level = slog.LevelDebug
			}
			if strings.HasPrefix(r.URL.Path, static.Prefix) || r.URL.Path == "/healthz" || r.URL.Path == "/metrics" {
				level = slog.LevelDebug
			}
			s.log.Log(r.Context(), level, "request", "method", r.Method, "path", r.URL.Path, "status", wrapped.Status(),
				"bytes", wrapped.BytesWritten(), "took", time.Since(begun).Round(time.Microsecond))
		}()
		next.ServeHTTP(wrapped, r)
	})
}
