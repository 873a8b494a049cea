import MediaCore
import Testing

@testable import Community

struct StandingsTests {
    private static func standings(_ csv: String) throws -> Standings { try Standings(csv: Array(csv.utf8)) }

    @Test func aTableOfASpreadsheetIsRead() throws {
        let standings = try Self.standings("\u{FEFF}Pos;Driver;Time\r\n1;\"Ana; S.\";3:41\r\n2;Eva\r\n\r\n")
        #expect(standings.header == ["Pos", "Driver", "Time"])
        #expect(standings.rows == [["1", "Ana; S.", "3:41"], ["2", "Eva", ""]])
        #expect(try Self.standings(standings.csv) == standings)
    }

    /// A spreadsheet runs no cell of a table that comes from here.
    @Test func formulasAreText() throws {
        let standings = try Standings(header: ["Pos"], rows: [["=cmd|'/C calc'!A0"], ["-1.5"], ["@x"], ["'=1"]])
        #expect(standings.csv == "\"Pos\"\r\n\"'=cmd|'/C calc'!A0\"\r\n\"-1.5\"\r\n\"'@x\"\r\n\"''=1\"\r\n")
        #expect(try Self.standings(standings.csv) == standings)
        #expect(try Standings(stored: try standings.stored()) == standings)
    }

    @Test func anEmptyTableIsNone() throws {
        for csv in ["", "\r\n", "\u{FEFF}"] { #expect(try Self.standings(csv) == .empty) }
        #expect(Standings.empty.csv.isEmpty && Standings.empty.isEmpty)
        #expect(try Standings(stored: try Standings.empty.stored()) == .empty)
    }

    @Test func controlCharactersAreTakenOut() throws {
        let standings = try Standings(header: ["A\u{202E}B"], rows: [["one\ntwo"]])
        #expect(standings.header == ["AB"] && standings.rows == [["one two"]])
    }

    @Test func whatFillsTheLimitsIsTaken() throws {
        let wide = try Standings(
            header: (1...Standings.maximumColumnCount).map(String.init), rows: [])
        #expect(wide.header.count == 50)
        let long = try Standings(header: ["A"], rows: Array(repeating: ["x"], count: Standings.maximumRowCount))
        #expect(try Self.standings(long.csv).rows.count == 500)
        _ = try Standings(header: [String(repeating: "é", count: Standings.maximumCellLength)], rows: [])
    }

    @Test func limitsAreNamed() throws {
        let cases: [(header: [String], rows: [[String]], reason: String)] = [
            (Array(repeating: "x", count: 51), [], "50 columns"),
            (["A"], Array(repeating: ["x"], count: 501), "500 rows"),
            (["A"], [["x"], ["x", "y"]], "row 2 has 2 cells, but the header has 1"),
            ([], [["x"]], "row 1 has 1 cells"),
            (["A"], [[String(repeating: "x", count: 201)]], "more than 200 characters"),
            (["A"], [[String(repeating: "e\u{301}", count: 101)]], "more than 200 characters"),
            // What is not kept counts as well.
            (["\u{AD}" + String(repeating: "x", count: 200)], [], "more than 200 characters"),
            (
                Array(repeating: "x", count: 50),
                Array(repeating: Array(repeating: String(repeating: "x", count: 200), count: 50), count: 53), "512 KiB"
            ),
        ]
        for (header, rows, reason) in cases {
            let error = try #require(throws: Refusal.self) { try Standings(header: header, rows: rows) }
            #expect(error.code == .invalidField && error.reason.contains(reason), "\(error.reason)")
        }
        for csv in ["a\n\"b", "a\n\"\(String(repeating: "\n", count: 3))"] {
            #expect(throws: Refusal.self) { try Self.standings(csv) }
        }
    }
}
