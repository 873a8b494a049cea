import Database
import DatabaseTestSupport
import Foundation
import MediaCore
import Testing

@testable import Catalogue

@Suite(.eachEngine) struct SearchTests {
    @Test(arguments: [
        ("canción", ["cancion"]), ("CANCION", ["cancion"]), ("canc", ["cancion"]), ("verano canc", ["cancion"]),
        ("nandu", ["nandu"]), ("mp4", ["cancion", "nandu"]), ("ción", ["cancion"]), ("noche", []), ("an", []),
    ])
    func findsTitlesByTheBeginningsOfWordsWithoutDiacritics(query: String, ids: [String]) async throws {
        let temporary = try TemporaryCatalogue()
        try await temporary.catalogue.save(TitleRecord.sample("cancion", title: "La canción del verano"))
        try await temporary.catalogue.save(TitleRecord.sample("nandu", title: "Ñandú"))
        let page = try await temporary.catalogue.titles(matching: query, after: nil, limit: 10)
        #expect(page.items.map(\.id) == ids)
    }

    @Test(arguments: ["ana", "primero", "solo", "ana primero"])
    func findsTracksByTitleArtistAndAlbum(query: String) async throws {
        let temporary = try TemporaryCatalogue()
        try await temporary.catalogue.save(
            AudioTrackRecord.sample("x", title: "Solo", artist: "Ana Ruiz", album: "Primero"))
        try await temporary.catalogue.save(AudioTrackRecord.sample("y", title: "Otro"))
        let page = try await temporary.catalogue.tracks(matching: query, after: nil, limit: 10)
        #expect(page.items.map(\.id) == ["x"])
    }

    /// In every order, of both lists, with pages of one and of many: what is typed may be inside of a word.
    @Test(arguments: RecordOrder.allCases) func findsTheMiddleOfWords(order: RecordOrder) async throws {
        let temporary = try TemporaryCatalogue()
        for (id, title) in [("reinas", "Nueve Reinas"), ("peine", "El peinado"), ("mar", "Alta mar")] {
            try await temporary.catalogue.save(TitleRecord.sample(id, title: title))
            try await temporary.catalogue.save(AudioTrackRecord.sample(id, title: "x", artist: title))
        }
        for limit in [1, 10] {
            for (query, ids) in [
                ("eina", ["peine", "reinas"]), ("EÍNA nueve", ["reinas"]), ("einado el", ["peine"]),
                ("lta mar", ["mar"]), ("eina mar", []), ("ei", []), ("eve nas", ["reinas"]),
            ] {
                #expect(
                    try await found(temporary.catalogue, query, order, limit) == [ids, ids], "\(query), \(limit) a page"
                )
            }
        }
        try await temporary.catalogue.deleteTrack(id: "peine")
        #expect(try await found(temporary.catalogue, "eina", order, 10) == [["peine", "reinas"], ["reinas"]])
    }

    /// The IDs of titles and of tracks, each sorted.
    private func found(
        _ catalogue: Catalogue, _ text: String, _ order: RecordOrder, _ limit: Int
    ) async throws -> [[String]] {
        var (all, cursor) = ([[String](), [String]()], String?.none)
        let query = RecordQuery(matching: text, order: order)
        repeat {
            let page = try await catalogue.titles(query, after: cursor, limit: limit)
            (all[0], cursor) = (all[0] + page.items.map(\.id), page.next)
        } while cursor != nil
        repeat {
            let page = try await catalogue.tracks(query, after: cursor, limit: limit)
            (all[1], cursor) = (all[1] + page.items.map(\.id), page.next)
        } while cursor != nil
        return all.map { $0.sorted() }
    }

    /// More records begin with the word than are sorted, and one has it inside.
    @Test func findsTheMiddleOfAWordWithWhichManyBegin() async throws {
        let temporary = try TemporaryCatalogue()
        try await temporary.catalogue.database.write(durability: .onDisk, within: .seconds(60)) { db in
            for index in 0..<(PageQuery<TitleRecord>.fewMatchesLimit + 20) {
                try TitleRecord.sample("t\(index)", title: "Common \(1_000 + index)").insert(db)
            }
            try TitleRecord.sample("inside", title: "Zuncommon").insert(db)
        }
        for order in RecordOrder.allCases {
            let found = try await self.found(temporary.catalogue, "common", order, 100)[0]
            #expect(found.count == PageQuery<TitleRecord>.fewMatchesLimit + 21 && found.contains("inside"), "\(order)")
        }
    }

    /// None of these queries may cause an error, however FTS5 interprets it.
    @Test(arguments: [
        "\"", "\"\"", "*", "a*", "a AND", "AND OR NOT", "NEAR(a b)", "title:a", "-a", "^a", "(a", "a)", "{title}: a",
        "a + b", "';--", "\0", "a\0b", "\u{301}", "a\u{301}", "½", "你好", "🎬", String(repeating: "\"a ", count: 5_000),
        String(repeating: "b", count: 50_000),
    ])
    func nothingThatIsTypedIsSyntax(query: String) async throws {
        let temporary = try TemporaryCatalogue()
        try await temporary.catalogue.save(TitleRecord.sample("film", title: "Film"))
        try await temporary.catalogue.save(AudioTrackRecord.sample("song", title: "Song"))
        _ = try await temporary.catalogue.titles(matching: query, after: nil, limit: 10)
        _ = try await temporary.catalogue.tracks(matching: query, after: nil, limit: 10)
    }

    @Test(arguments: [
        ("strasse", "Straße der Lieder"), ("STRASSE", "Straße der Lieder"), ("Straße", "Strasse der Lieder"),
        ("oeuvre", "L’œuvre"), ("aesop", "Æsop"), ("lodz", "Łódź"), ("fin", "ﬁn"), ("ΟΔΟΣ", "οδός"),
        ("istanbul", "İstanbul"),
        ("ёлка", "елка"),
    ])
    func foldsLettersAsPeopleTypeThem(query: String, title: String) async throws {
        let temporary = try TemporaryCatalogue()
        try await temporary.catalogue.save(TitleRecord.sample("x", title: title))
        #expect(try await temporary.catalogue.titles(matching: query, after: nil, limit: 10).items.map(\.id) == ["x"])
    }

    /// Marks of other scripts distinguish words.
    @Test func keepsLettersThatAreNoVariants() async throws {
        let temporary = try TemporaryCatalogue()
        try await temporary.catalogue.save(TitleRecord.sample("x", title: "がくえん"))
        #expect(try await temporary.catalogue.titles(matching: "かくえん", after: nil, limit: 10).items.isEmpty)
        #expect(try await temporary.catalogue.titles(matching: "がく", after: nil, limit: 10).items.count == 1)
    }

    @Test func theNewestComeFirst() async throws {
        let temporary = try TemporaryCatalogue()
        for id in ["b", "a", "d", "c"] { try await temporary.catalogue.save(TitleRecord.sample(id)) }
        try await temporary.catalogue.save(TitleRecord.sample("e", state: .failed))
        #expect(try await temporary.catalogue.newestTitles(3).map(\.id) == ["c", "d", "a"])
        try await temporary.catalogue.save(AudioTrackRecord.sample("y"))
        #expect(try await temporary.catalogue.newestTracks(3).map(\.id) == ["y"])
    }

    @Test func knowsWhetherAnotherFileHasTheName() async throws {
        let temporary = try TemporaryCatalogue()
        try await temporary.catalogue.save(TitleRecord.sample("x", title: "Concierto"))
        #expect(try await temporary.catalogue.hasTitle(named: "concierto", besidesFile: "y.mp4"))
        #expect(try await !temporary.catalogue.hasTitle(named: "Concierto", besidesFile: "x.mp4"))
        #expect(try await !temporary.catalogue.hasTrack(named: "Concierto", besidesFile: "y.mp3"))
    }

    @Test func pagesThroughWhatWasFound() async throws {
        let temporary = try TemporaryCatalogue()
        for number in 0..<5 {
            try await temporary.catalogue.save(TitleRecord.sample("f\(number)", title: "Film \(number)"))
            try await temporary.catalogue.save(TitleRecord.sample("x\(number)", title: "Other \(number)"))
        }
        let first = try await temporary.catalogue.titles(matching: "film", after: nil, limit: 3)
        let second = try await temporary.catalogue.titles(matching: "film", after: first.next, limit: 3)
        #expect(first.items.map(\.id) + second.items.map(\.id) == (0..<5).map { "f\($0)" })
        #expect(second.next == nil)
    }
}
