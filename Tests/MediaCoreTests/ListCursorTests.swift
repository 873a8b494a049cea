import MediaCore
import Testing

/// Cursors, which come back from clients.
struct ListCursorTests {
    @Test(arguments: [["7"], ["", "ñandú", "-3"], ["a-b_c", String(repeating: "x", count: 1_000)]])
    func aCursorComesBack(_ keys: [String]) throws {
        let text = ListCursor("list", keys).text
        #expect(text.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil, "cursors stand in addresses")
        #expect(try ListCursor(parsing: text, of: "list", keyCount: keys.count).keys == keys)
    }

    @Test func aNumberComesBack() throws {
        #expect(try ListCursor.number(parsing: ListCursor(number: .max).text) == .max)
        #expect(try ListCursor.start(nil) == .max)
        #expect(try ListCursor.start(ListCursor(number: 5).text) == 5)
    }

    /// Cursors of other lists, of earlier versions, and what nobody has issued.
    @Test(arguments: [
        "", "5", "newest-5", "%00", "====", String(repeating: "A", count: 3_000), ListCursor("other", ["5"]).text,
        ListCursor("n", ["5", "6"]).text, ListCursor("n", ["x"]).text, ListCursor("n", ["0"]).text,
        ListCursor("n", ["-1"]).text, ListCursor("n", ["9223372036854775808"]).text,
    ])
    func anotherTextIsRefused(_ text: String) {
        #expect(throws: Refusal.invalidCursor) { try ListCursor.number(parsing: text) }
    }
}
