import APIContract
import Catalogue
import Foundation
import JSONDocument
import LibraryDetails
import MediaCore
import Testing
import VideoClub

@testable import WebAPI

@Suite struct InterchangeEntryTests {
    private func entry(_ json: String) throws -> InterchangeEntry {
        try InterchangeEntry(try JSONParser.parse(json.utf8))
    }

    private func reason(_ body: () throws -> InterchangeEntry) -> String? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? InterchangeEntry.Refusal)?.reason
        }
    }

    @Test func anEntryHasDetailsAndTerms() throws {
        let entry = try entry(
            #"{"id": "a", "genres": ["Drama", "War"], "year": null, "price": 5, "regularPrice": null, "trailer": "b", "featured": true}"#
        )
        #expect(entry.id == "a" && entry.detailFields == [.genres, .year])
        #expect(entry.details[.genres] == .set(.texts(["Drama", "War"])) && entry.details[.year] == .reset)
        var terms = TitleTerms()
        (terms.regularPrice, terms.timeToPlay) = (9, .seconds(60))
        entry.terms.apply(to: &terms)
        #expect(terms.price == 5 && terms.regularPrice == nil && terms.trailer == "b" && terms.isFeatured)
        #expect(terms.timeToPlay == .seconds(60))
    }

    @Test func anEmptyCellChangesNothing() throws {
        let entry = try InterchangeEntry(cells: [
            (column: "file", text: "a/b.mp4"), (column: "year", text: ""), (column: "cast", text: "Downey, Jr.;"),
            (column: "minutesToPlay", text: "90"), (column: "featured", text: "no"), (column: "trailer", text: ""),
        ])
        #expect(entry.id == nil && entry.file == "a/b.mp4" && entry.detailFields == [.cast])
        #expect(entry.details[.cast] == .set(.texts(["Downey, Jr."])))
        #expect(entry.terms.timeToPlay == .seconds(5_400) && entry.terms.isFeatured == false)
        #expect(entry.terms.trailer == nil && entry.terms.price == nil)
    }

    /// An export changes nothing when it is read.
    @Test func aTitleIsReadAsItWasWritten() throws {
        var title = TitleRecord(
            id: "a", title: "A", file: "a.mp4", sourcePath: "/a.mp4", byteCount: 1, modifiedAt: .distantPast,
            revision: "r", addedAt: .distantPast)
        var details = ItemDetails()
        details[.title] = .text("=A, \"B\"")
        details[.description] = .text("two\nlines")
        details[.year] = .number(1987)
        details[.cast] = .texts(["Downey, Jr."])
        details[.genres] = .texts(["Drama", "Sci-fi, fantasy"])
        title.show(details)
        var terms = TitleTerms()
        (terms.price, terms.regularPrice, terms.timeToStart) = (3, 7, .seconds(600))
        let cells = InterchangeEntry.cells(title, terms)
        let table = try InterchangeEntry(
            cells: zip(InterchangeEntry.columns, cells).map { (column: $0, text: $1) })
        let list = try entry(InterchangeEntry.object(title, terms).json.rendered)
        for read in [table, list] {
            for field in read.detailFields {
                if case .set(let value) = read.details[field] { #expect(title.details[field] == value, "\(field)") }
            }
            var same = TitleTerms()
            read.terms.apply(to: &same)
            #expect(same == terms)
        }
    }

    @Test func whatCannotBeUsedIsSaid() {
        #expect(reason { try entry("[]") } == "an entry must be an object")
        #expect(reason { try entry(#"{"price": 1}"#) }?.contains("`id` or `file`") == true)
        #expect(reason { try entry(#"{"id": "a", "price": "x"}"#) } == "`price` must be a whole number")
        #expect(reason { try entry(#"{"id": "a", "colour": 1}"#) }?.contains("there is no field \"colour\"") == true)
        #expect(reason { try entry(#"{"id": "a", "minutesToPlay": 9007199254740991}"#) } == nil)
        #expect(
            reason { try InterchangeEntry(cells: [(column: "id", text: "a"), (column: "featured", text: "maybe")]) }
                == "`featured` must be true or false")
        #expect(
            reason { try InterchangeEntry(cells: [(column: "id", text: "a"), (column: "year", text: "0")]) }?
                .contains("year") == true)
    }
}
