import MediaCore
import Testing

struct URIEncodingTests {
    @Test(arguments: [
        ("", ""), ("AZaz09-._~", "AZaz09-._~"), ("a/b c+d", "a%2Fb%20c%2Bd"), ("\u{1}%?#", "%01%25%3F%23"),
        ("año", "a%C3%B1o"), ("🎬", "%F0%9F%8E%AC"),
    ])
    func everythingButUnreservedCharactersIsEncoded(text: String, expected: String) {
        #expect(URIEncoding.encoded(text) == expected)
    }

    @Test func slashesCanStay() {
        #expect(URIEncoding.encoded("a b/c", keepsSlashes: true) == "a%20b/c")
    }
}
