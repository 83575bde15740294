package gateway

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"
)

// The server also accepts a shared secret, so that confusing the two kinds of keys would succeed.
func TestKeySet_WithstandsKnownAttacks(t *testing.T) {
	rs, es, ed := newSigner(t, "rs", "RS256"), newSigner(t, "es", "ES256"), newSigner(t, "ed", "EdDSA")
	elsewhere := &provider{}
	attacker := httptest.NewServer(elsewhere)
	defer attacker.Close()
	both := Verifiers{
		Secret: testTokens(),
		Keys:   newProvider(t, rs.jwk(t), es.jwk(t), ed.jwk(t)).keySet(t, &clock{}),
	}
	for _, s := range []signer{rs, es, ed} {
		wantUser7(t, both, s.sign(t))
	}

	mine := newSigner(t, "es", "ES256")
	genuine := strings.Split(es.sign(t), ".")
	head, body := genuine[0], genuine[1]
	public, err := x509.MarshalPKIXPublicKey(rs.key.Public())
	noError(t, err)
	asJWK, err := json.Marshal(rs.jwk(t))
	noError(t, err)
	hs := `{"alg":"HS256","kid":"rs"}`
	attacks := map[string]string{
		"no algorithm":                             forge(`{"kid":"es"}`, payload, nil),
		"algorithm none":                           stripSignature(forge(`{"alg":"none","kid":"es"}`, payload, nil)),
		"no signature":                             head + "." + body + ".",
		"an unknown algorithm":                     forge(`{"alg":"ES256K","kid":"es"}`, payload, nil),
		"HS256 with the public key in PEM":         forge(hs, payload, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})),
		"HS256 with the public key in DER":         forge(hs, payload, public),
		"HS256 with the public key as a JWK":       forge(hs, payload, asJWK),
		"RS256 with a signature by the secret":     forge(`{"alg":"RS256","kid":"rs"}`, payload, testSecret),
		"another key under a known name":           mine.sign(t),
		"another key that the token brings along":  mine.sign(t, header("jwk", mine.jwk(t))),
		"another key that the token links to":      mine.sign(t, header("jku", attacker.URL)),
		"a certificate that the token links to":    mine.sign(t, header("x5u", attacker.URL), header("x5c", []string{"AAAA"})),
		"a key id that is a path":                  mine.sign(t, header("kid", "../../../../dev/null")),
		"a key id that is a number":                mine.sign(t, header("kid", 5)),
		"an algorithm that is not the key's":       signer{"rs", "RS512", rs.key}.sign(t),
		"a padding that is not the key's":          signer{"rs", "PS256", rs.key}.sign(t),
		"the key of another algorithm by its name": es.sign(t, header("kid", "ed")),
		"critical extensions":                      es.sign(t, header("crit", []string{"b64"}), header("b64", false)),
		"a signature of zeros":                     head + "." + body + "." + b64(make([]byte, 64)),
		"a signature of the curve's order":         head + "." + body + "." + b64(orderTwice()),
		"a signature as certificates have it":      head + "." + body + "." + b64(asn1Of(t, es, head+"."+body)),
		"another payload's signature":              head + "." + b64([]byte(`{"sub":"1","role":"admin","exp":1715950800}`)) + "." + genuine[2],
	}
	for name, token := range attacks {
		t.Run(name, func(t *testing.T) {
			_, err := both.Verify(t.Context(), token)
			if err == nil || clientMessage(err) != "the token is not valid" {
				t.Errorf("the token got %v", err)
			}
		})
	}
	wantEqual(t, 0, elsewhere.asked.Load(), "links of tokens that the server fetched")
}

// orderTwice returns a signature whose halves are the order of the curve, which is zero without a
// range check.
func orderTwice() []byte {
	n := elliptic.P256().Params().N.Bytes()
	return append(n, n...)
}

// asn1Of returns a valid signature in a format that JWS does not allow.
func asn1Of(t *testing.T, s signer, signed string) []byte {
	t.Helper()
	digest := jwt.SigningMethodES256.Hash.New()
	digest.Write([]byte(signed))
	signature, err := ecdsa.SignASN1(rand.Reader, s.key.(*ecdsa.PrivateKey), digest.Sum(nil))
	noError(t, err)
	return signature
}

// Unsuitable keys do not affect the good key in the same set.
func TestParseKeySet_SkipsUnsuitableKeys(t *testing.T) {
	good, rs, es, ed := newSigner(t, "good", "ES256"), newSigner(t, "bad", "RS256"), newSigner(t, "bad", "ES256"), newSigner(t, "bad", "EdDSA")
	weak, err := rsa.GenerateKey(rand.Reader, 1024)
	noError(t, err)
	huge := new(big.Int).SetBit(big.NewInt(1), rsaMax, 1)
	none := map[string]any(nil)
	for name, c := range map[string]struct {
		signer  signer
		members map[string]any
	}{
		"for encryption":                     {es, map[string]any{"use": "enc"}},
		"private":                            {es, map[string]any{"d": "AAAA"}},
		"of another algorithm":               {es, map[string]any{"alg": "ES384"}},
		"of an algorithm of secrets":         {rs, map[string]any{"alg": "HS256"}},
		"RSA, short":                         {signer{"bad", "RS256", weak}, none},
		"RSA, far too long":                  {rs, map[string]any{"n": b64(huge.Bytes())}},
		"RSA, even":                          {rs, map[string]any{"n": b64(new(big.Int).SetBit(new(big.Int), 2047, 1).Bytes())}},
		"RSA, exponent one":                  {rs, map[string]any{"e": b64([]byte{1})}},
		"RSA, exponent huge":                 {rs, map[string]any{"e": b64([]byte{1, 0, 0, 0, 1})}},
		"RSA, no base64":                     {rs, map[string]any{"n": "%%"}},
		"a point that is not on the curve":   {es, map[string]any{"x": b64(make([]byte, 32))}},
		"the point at infinity":              {es, map[string]any{"x": b64(make([]byte, 32)), "y": b64(make([]byte, 32))}},
		"another curve":                      {es, map[string]any{"crv": "secp256k1"}},
		"Ed25519, short":                     {ed, map[string]any{"x": b64(make([]byte, 31))}},
		"for key agreement":                  {ed, map[string]any{"crv": "X25519"}},
		"a shared secret everybody may read": {signer{"bad", "ES256", es.key}, map[string]any{"kty": "oct", "k": b64(testSecret)}},
		"a name that is no text":             {es, map[string]any{"kid": 5}},
	} {
		t.Run(name, func(t *testing.T) {
			keys := newProvider(t, c.signer.jwk(t, c.members), good.jwk(t)).keySet(t, &clock{})
			wantUser7(t, keys, good.sign(t))
			if c.signer.key != weak { // which the library does not sign with
				wantUnauthenticated(t, keys, c.signer.sign(t), "the token is not valid")
			}
			if keys, passedOver, err := parseKeySet(marshal(t, c.signer.jwk(t, c.members))); len(keys) > 0 || len(passedOver) != 1 || err == nil {
				t.Errorf("the key was accepted: %v, %v, %v", keys, passedOver, err)
			}
		})
	}
}

func marshal(t *testing.T, key map[string]any) []byte {
	t.Helper()
	body, err := json.Marshal(map[string]any{"keys": []any{key}})
	noError(t, err)
	return body
}

// FuzzKeySet searches for a key set that makes the parser panic or that yields a key without
// algorithms.
func FuzzKeySet(f *testing.F) {
	f.Add([]byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`))
	f.Add([]byte(`{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"},{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}`))
	f.Add([]byte(`{"keys":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		keys, _, err := parseKeySet(body)
		if (len(keys) > 0) != (err == nil) {
			t.Fatalf("%q: %d keys and the error %v", body, len(keys), err)
		}
		for _, key := range keys {
			if len(key.algorithms) == 0 || key.key == nil {
				t.Fatalf("%q: %+v", body, key)
			}
		}
	})
}
