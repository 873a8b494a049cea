import JSONDocument
import Testing

@testable import LibraryDetails

struct DetailValueTests {
    private func value(_ json: String, _ field: DetailField) throws -> DetailValue {
        try DetailValue(JSONParser.parse(json.utf8), of: field)
    }

    @Test func keepsWhatIsWithinTheLimits() throws {
        #expect(try value(#""  Señal  ""#, .title) == .text("Señal"))
        #expect(try value(#""a\r\nb\u0007""#, .description) == .text("a\nb"))
        #expect(try value(#"["Jazz", "jazz ", "Rock"]"#, .genres) == .texts(["Jazz", "Rock"]))
        #expect(try value("2019", .year) == .number(2019))
        #expect(try DetailValue("Jazz, Rock", of: .genres) == .texts(["Jazz", "Rock"]))
        #expect(try DetailValue("Jazz; Rock, Pop;", of: .genres) == .texts(["Jazz", "Rock, Pop"]))
        #expect(try DetailValue(" 7 ", of: .episode) == .number(7))
    }

    @Test(arguments: [
        ("\"\"", DetailField.title), ("\" \\u0007 \"", .title), ("7", .title), ("\"x\"", .year), ("0", .year),
        ("1.5", .year), ("10000", .year), ("[]", .genres), ("[7]", .genres), ("\"a\"", .genres),
        ("\"javascript:alert(1)\"", .website), ("\"http://\"", .website), ("\"https:///a\"", .website),
        ("\"https://a b\"", .website), ("\"https://a/\\\"onload=\"", .website), ("null", .title),
    ])
    func refusesWhatAFieldCannotHave(json: String, field: DetailField) throws {
        #expect(throws: DetailError.self) { try value(json, field) }
    }

    @Test func theTextsOfErrorsNameTheField() throws {
        let error = #expect(throws: DetailError.self) { try value("0", .year) }
        #expect(error?.description == "\"year\" must be a number from 1 to 9999")
    }

    @Test func whatIsStoredIsReadAgain() throws {
        var details = ItemDetails()
        details[.title] = .text(String(repeating: "long ", count: 100))
        details[.genres] = .texts(["a", "b"])
        details[.season] = .number(0)
        #expect(ItemDetails(stored: details.json.rendered) == details)
        #expect(ItemDetails(stored: "[").isEmpty)
        #expect(ItemDetails(stored: #"{"title":7,"colour":"red","year":1999}"#).fields == [.year])
    }

    @Test func anOperatorTakesPrecedenceOverNotesAndThoseOverTheFile() {
        var (chosen, noted, file) = (ItemDetails(), ItemDetails(), ItemDetails())
        (file[.title], file[.year], file[.artist]) = (.text("file"), .number(1), .text("file"))
        (noted[.title], noted[.year]) = (.text("notes"), .number(2))
        chosen[.title] = .text("operator")
        let layers = DetailLayers(chosen: chosen, noted: noted, file: file)
        #expect(layers.effective.text(.title) == "operator")
        #expect(layers.effective.number(.year) == 2)
        #expect(layers.effective.text(.artist) == "file")
        #expect(layers.source(of: .title) == .operator)
        #expect(layers.source(of: .year) == .notes)
        #expect(layers.source(of: .artist) == .file)
        #expect(layers.source(of: .website) == nil)
        var changed = layers
        changed.chosen[.title] = nil
        #expect(changed.version != layers.version)
    }
}
