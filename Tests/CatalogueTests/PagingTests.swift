import DatabaseTestSupport
import Foundation
import MediaCore
import Testing

@testable import Catalogue

@Suite(.eachEngine) struct PagingTests {
    @Test(arguments: [1, 2, 3, 7, 8])
    func pagesHoldEveryTitleOnceInAlphabeticalOrder(limit: Int) async throws {
        let temporary = try TemporaryCatalogue()
        // Equal titles, different case, and names that would confuse a naive cursor.
        let titles = ["b", "A", "a", "c \0 d", "Ñandú", "c", "a"]
        for (index, title) in titles.enumerated() {
            try await temporary.catalogue.save(TitleRecord.sample("t\(index)", title: title))
        }
        var ids: [String] = []
        var cursor: String?
        repeat {
            let page = try await temporary.catalogue.titles(matching: nil, after: cursor, limit: limit)
            #expect(page.items.count <= limit)
            ids += page.items.map(\.id)
            cursor = page.next
        } while cursor != nil && ids.count <= titles.count
        #expect(ids == ["t1", "t2", "t6", "t0", "t5", "t3", "t4"])
    }

    @Test func listsAreInTheOrderOfADictionary() async throws {
        let temporary = try TemporaryCatalogue()
        let titles = [
            "«Alba»", "Zoo", "Ñu", "oso", "Nube", "élite", "Duna", "¿Quién?", "Éxodo", "2001", "...", "Ärger",
        ]
        for (index, title) in titles.enumerated() {
            try await temporary.catalogue.save(TitleRecord.sample("t\(index)", title: title))
            try await temporary.catalogue.save(AudioTrackRecord.sample("t\(index)", title: title))
        }
        let order = ["...", "2001", "«Alba»", "Ärger", "Duna", "élite", "Éxodo", "Ñu", "Nube", "oso", "¿Quién?", "Zoo"]
        let page = try await temporary.catalogue.titles(matching: nil, after: nil, limit: 20)
        #expect(page.items.map(\.title) == order)
        let tracks = try await temporary.catalogue.tracks(matching: nil, after: nil, limit: 20)
        #expect(tracks.items.map(\.title) == page.items.map(\.title))
    }

    @Test func titlesOfAnyLengthHaveCursorsThatAreTakenBack() async throws {
        let temporary = try TemporaryCatalogue()
        for id in ["a", "b"] {
            let title = String(repeating: "\u{1F469}\u{200D}\u{1F467}\0é", count: 5_000)
            try await temporary.catalogue.save(TitleRecord.sample(id, title: title))
        }
        let first = try await temporary.catalogue.titles(matching: nil, after: nil, limit: 1)
        let second = try await temporary.catalogue.titles(matching: nil, after: first.next, limit: 1)
        #expect(first.items.map(\.id) + second.items.map(\.id) == ["a", "b"])
    }

    @Test func aPageGoesOnBehindAnEntryThatWasDeleted() async throws {
        let temporary = try TemporaryCatalogue()
        for id in ["a", "b", "c"] { try await temporary.catalogue.save(TitleRecord.sample(id)) }
        let first = try await temporary.catalogue.titles(matching: nil, after: nil, limit: 2)
        try await temporary.catalogue.deleteTitle(id: "b")
        let second = try await temporary.catalogue.titles(matching: nil, after: first.next, limit: 2)
        #expect(second.items.map(\.id) == ["c"])
        #expect(second.next == nil)
    }

    @Test(arguments: [-1, 0, 1, 200, 201, Int.max])
    func limitsAreBroughtIntoRange(limit: Int) async throws {
        let temporary = try TemporaryCatalogue()
        for number in 0..<3 { try await temporary.catalogue.save(TitleRecord.sample("t\(number)")) }
        let page = try await temporary.catalogue.titles(matching: nil, after: nil, limit: limit)
        #expect(page.items.count == (limit <= 1 ? 1 : 3))
    }

    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    @Test func cursorsAreSafeInURLs() async throws {
        let temporary = try TemporaryCatalogue()
        for number in 0..<20 {
            try await temporary.catalogue.save(TitleRecord.sample("t\(number)", title: "¿?>>~~ÿÿ \(number)"))
        }
        var cursor: String?
        repeat {
            cursor = try await temporary.catalogue.titles(matching: nil, after: cursor, limit: 1).next
            #expect((cursor ?? "").utf8.allSatisfy(Self.unreserved.contains))
        } while cursor != nil
    }

    /// `AAAA` is three NULs; the others are a cursor without a version, and cursors with a field too few and a field
    /// too many.
    @Test(arguments: [
        ("x", 1), ("!!!!", 1), ("w6k", 1), ("AAAA", 1), ("MgBhAGI", 1), ("MQBh", 1), ("MQBhAGIAYw", 1),
        ("'; DROP TABLE title; --", 1), ("A", 100_000),
    ])
    func cursorsOfNoPageAreRefusedWithAReason(text: String, times: Int) async throws {
        let cursor = String(repeating: text, count: times)
        let temporary = try TemporaryCatalogue()
        await #expect {
            _ = try await temporary.catalogue.titles(matching: nil, after: cursor, limit: 1)
        } throws: { error in
            (error as? Refusal)?.code == .invalidCursor && "\(error)".contains("cursor")
        }
    }
}
