import MediaCore
import Testing

@testable import CSVDocument

@Suite struct CSVDocumentTests {
    private let reader = CSVReader(maximumRowCount: 5, maximumFieldCount: 4)

    private func fields(_ text: String) throws -> [[String]] { try reader.rows(Array(text.utf8)).map(\.fields) }

    @Test(arguments: [
        ["a", "b"], ["", "x", ""], ["say \"no\"", "a,b", "c;d"], ["two\nlines", "three\r\nlines"], ["¿Ñandú?", "𝄞"],
        ["=1+1", "+a", "-b", "@c"], ["-5", "+3.5", "'quoted'", "'=1"], ["a\"\u{301},\u{301}b", "=\u{301}", "''-x"],
    ])
    func aRowIsReadAsItWasWritten(row: [String]) throws {
        #expect(try fields(CSVRow.text(row)) == [row])
    }

    /// <https://owasp.org/www-community/attacks/CSV_Injection>
    @Test func formulasAreText() {
        #expect(CSVRow.text(["=cmd|' /C calc'!A0", "-2+3"]) == "\"'=cmd|' /C calc'!A0\",\"'-2+3\"\r\n")
        #expect(CSVRow.text(["-12", "+1.5"]) == "\"-12\",\"+1.5\"\r\n")
        // With a combining mark, each of these is another character.
        #expect(CSVRow.text(["=\u{301}1", "a\"\u{301}b"]) == "\"'=\u{301}1\",\"a\"\"\u{301}b\"\r\n")
    }

    @Test func tablesOfSpreadsheetsAreRead() throws {
        #expect(try fields("\u{FEFF}id;title\r\n\r\na;\"x;y\"\r\n") == [["id", "title"], ["a", "x;y"]])
        #expect(try fields("id\ttitle\na\tb") == [["id", "title"], ["a", "b"]])
        #expect(try fields("a,b\rc,d\r") == [["a", "b"], ["c", "d"]])
        #expect(try fields("a,\"\"\n") == [["a", ""]])
        #expect(try fields("") == [])
        #expect(try reader.rows(Array("a\n\"x\ny\"\nb\n".utf8)).map(\.line) == [1, 2, 4])
    }

    /// `excel-es-1252.csv`, `excel-sep.csv` and `excel-unicode.csv` as Excel writes them in Spain.
    @Test func theEncodingsOfWindowsAreRead() throws {
        let expected = [["Pos", "Piloto"], ["1", "Ñandú, José"]]
        var western = Array("Pos;Piloto\r\n1;\"".utf8)
        western += [0xD1] as [UInt8]
        western += Array("and".utf8)
        western += [0xFA] as [UInt8]
        western += Array(", Jos".utf8)
        western += [0xE9] as [UInt8]
        western += Array("\"\r\n".utf8)
        #expect(try reader.rows(western).map(\.fields) == expected)
        let unicode = "Pos\tPiloto\r\n1\t\"Ñandú, José\"\r\n"
        let littleEndian = unicode.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        let bigEndian = unicode.utf16.flatMap { unit -> [UInt8] in [UInt8(unit >> 8), UInt8(unit & 0xFF)] }
        for bytes in [[0xFF, 0xFE] + littleEndian, littleEndian, [0xFE, 0xFF] + bigEndian, bigEndian] {
            #expect(try reader.rows(bytes).map(\.fields) == expected)
        }
        let polish = Array("Pos;Piloto\n1;".utf8) + ([0xA3, 0xF3, 0x64, 0x9F] as [UInt8])
        #expect(
            try reader.rows(polish, declared: TextEncoding(label: "Windows-1250")).map(\.fields)
                == [["Pos", "Piloto"], ["1", "Łódź"]])
        // What is UTF-8 is not something else, whatever its sender says.
        #expect(
            try reader.rows(Array("a\nñ".utf8), declared: TextEncoding(label: "latin1")).map(\.fields) == [
                ["a"], ["ñ"],
            ])
    }

    @Test func aFirstLineMaySayWhatSeparatesTheFields() throws {
        let rows = try reader.rows(Array("sep=;\r\nPos;Piloto\r\n1;\"Ñandú, José\"\r\n".utf8))
        #expect(rows.map(\.fields) == [["Pos", "Piloto"], ["1", "Ñandú, José"]])
        #expect(rows.map(\.line) == [2, 3])
        #expect(try fields("SEP=|\na|b,c\n") == [["a", "b,c"]])
        #expect(try fields("sep=;") == [])
        #expect(try fields("sep=;;\na;b") == [["sep=", "", ""], ["a", "b"]])
    }

    @Test func whatCannotBeReadIsSaid() {
        func failure(_ text: [UInt8]) -> CSVReader.Failure? {
            do {
                _ = try reader.rows(text)
                return nil
            } catch {
                return error
            }
        }
        #expect(failure(Array("a\n\"b".utf8)) == .init(line: 2, reason: "a quoted field is not closed"))
        #expect(failure(Array("a,b,c,d,e".utf8))?.reason == "a row is limited to 4 fields")
        #expect(failure(Array("a\nb\nc\nd\ne\nf".utf8))?.description == "line 6: the table is limited to 5 rows")
    }
}
