import Database
import DatabaseTestSupport
import LibraryDetails
import MediaCore
import Testing

@testable import Catalogue

/// The precedence of operators' choices, notes and files.
@Suite(.eachEngine) struct DetailStoreTests {
    private let temporary: TemporaryCatalogue
    private var catalogue: Catalogue { temporary.catalogue }

    init() throws { temporary = try TemporaryCatalogue() }

    private func titles(_ query: String) async throws -> [String] {
        try await catalogue.titles(matching: query, after: nil, limit: 10).items.map(\.id)
    }

    @Test func whatAnOperatorChoosesIsShownAndFound() async throws {
        try await catalogue.save(TitleRecord.sample("film", title: "IMG_0001"))
        let changed = try #require(
            try await catalogue.chooseDetails(ofTitle: "film", version: nil) { chosen in
                chosen[.title] = .text("Élite")
                chosen[.description] = .text("A garden in spring")
                chosen[.genres] = .texts(["Drama", "Nature"])
                chosen[.year] = .number(1987)
            })
        #expect(changed.record.title == "Élite")
        let stored = try #require(try await catalogue.title(id: "film"))
        #expect(stored == changed.record)
        #expect(stored.details.texts(.genres) == ["Drama", "Nature"])
        #expect(stored.fileDetails.text(.title) == "IMG_0001")
        for query in ["elite", "spring", "nature", "1987", "film"] { #expect(try await titles(query) == ["film"]) }
        #expect(try await titles("IMG_0001").isEmpty)
        let newest = try await catalogue.titles(matching: nil, after: nil, limit: 10)
        #expect(newest.items.first?.details.number(.year) == 1987)
    }

    @Test func aChoiceOutlivesEveryWriteOfAJob() async throws {
        try await catalogue.save(TitleRecord.sample("film", title: "IMG_0001", state: .queued))
        let before = try #require(try await catalogue.title(id: "film"))
        _ = try await catalogue.chooseDetails(ofTitle: "film", version: nil) { $0[.title] = .text("Chosen") }
        // The job has read the record before, and has found a name in the file.
        var result = before
        var said = result.fileDetails
        said[.title] = .text("Tag")
        result.describeFile(said)
        result.state = .ready
        #expect(try await catalogue.update(result, from: "r1"))
        let stored = try #require(try await catalogue.title(id: "film"))
        #expect(stored.title == "Chosen")
        #expect(stored.state == .ready)
        #expect(stored.fileDetails.text(.title) == "Tag")
        // Taken back, the file decides again.
        let back = try #require(
            try await catalogue.chooseDetails(ofTitle: "film", version: nil) { $0[.title] = nil })
        #expect(back.record.title == "Tag")
        #expect(try await titles("tag") == ["film"])
        #expect(try await titles("chosen").isEmpty)
    }

    @Test func aChoiceStaysWhenTheFileIsRenamedAndGoesWithTheTitle() async throws {
        try await catalogue.save(TitleRecord.sample("film"))
        _ = try await catalogue.chooseDetails(ofTitle: "film", version: nil) { $0[.year] = .number(1999) }
        let moved = try await catalogue.moveTitle(
            id: "film", from: "film.mp4", to: MovedFile(name: "new.mp4", path: "/new.mp4"))
        #expect(moved?.details.number(.year) == 1999)
        try await catalogue.deleteTitle(id: "film")
        try await catalogue.save(TitleRecord.sample("film"))
        #expect(try await catalogue.title(id: "film")?.details.number(.year) == nil)
        #expect(try await catalogue.titleDetails(id: "film")?.layers.chosen.isEmpty == true)
    }

    @Test func aChangeOfSomethingOlderIsRefused() async throws {
        try await catalogue.save(TitleRecord.sample("film"))
        let read = try #require(try await catalogue.titleDetails(id: "film")).layers.version
        let first = try #require(
            try await catalogue.chooseDetails(ofTitle: "film", version: read) { $0[.year] = .number(1) })
        let error = await #expect(throws: Refusal.self) {
            _ = try await catalogue.chooseDetails(ofTitle: "film", version: read) { $0[.year] = .number(2) }
        }
        #expect(error?.code == .changedMeanwhile)
        #expect(try await catalogue.title(id: "film")?.details.number(.year) == 1)
        _ = try await catalogue.chooseDetails(ofTitle: "film", version: first.layers.version) { $0[.year] = .number(3) }
        #expect(try await catalogue.title(id: "film")?.details.number(.year) == 3)
        #expect(try await catalogue.chooseDetails(ofTitle: "none", version: nil) { _ in } == nil)
    }

    /// Two fields are changed at the same time: both changes stay.
    @Test func changesAtTheSameTimeAreKept() async throws {
        try await catalogue.save(TitleRecord.sample("film"))
        let fields: [DetailField] = [.year, .season, .episode]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for round in 1...10 {
                for field in fields {
                    group.addTask { [catalogue] in
                        _ = try await catalogue.chooseDetails(ofTitle: "film", version: nil) { chosen in
                            chosen[field] = .number((chosen[field]?.number ?? 0) + 1)
                        }
                    }
                }
                group.addTask { [catalogue] in
                    guard var title = try await catalogue.title(id: "film") else { return }
                    title.progress = Double(round) / 10
                    _ = try await catalogue.update(title, from: "r1")
                }
            }
            try await group.waitForAll()
        }
        let stored = try #require(try await catalogue.title(id: "film"))
        for field in fields { #expect(stored.details.number(field) == 10) }
    }

    @Test func notesAreBetweenTheOperatorAndTheFile() async throws {
        try await catalogue.save(AudioTrackRecord.sample("song", title: "Mar", artist: "Ana", album: "Uno"))
        var details = ItemDetails()
        details[.artist] = .text("Ana María")
        details[.album] = .text("Dos")
        details[.season] = .number(7)
        let known = try await catalogue.note(
            [ItemNotes(id: "none", details: details, mark: "1"), ItemNotes(id: "song", details: details, mark: "1")],
            ofTitles: false)
        #expect(known == ["song"])
        #expect(try await catalogue.noteMarks(ofTitles: false) == ["song": "1"])
        _ = try await catalogue.chooseDetails(ofTrack: "song", version: nil) { $0[.album] = .text("Tres") }
        let track = try #require(try await catalogue.track(id: "song"))
        #expect(track.artist == "Ana María")
        #expect(track.album == "Tres")
        // A field of titles is nothing that a track shows.
        #expect(track.details.number(.season) == nil)
        _ = try await catalogue.note([ItemNotes(id: "song", details: ItemDetails(), mark: nil)], ofTitles: false)
        #expect(try await catalogue.track(id: "song")?.artist == "Ana")
        #expect(try await catalogue.noteMarks(ofTitles: false).isEmpty)
    }

    @Test func genresThatHoldCommasStayApart() async throws {
        var track = AudioTrackRecord.sample("song")
        var details = track.fileDetails
        details[.genres] = .texts(["Rock, Pop", "Jazz"])
        track.describeFile(details)
        try await catalogue.save(track)
        let stored = try #require(try await catalogue.track(id: "song"))
        #expect(stored == track)
        #expect(stored.genre == "Rock, Pop, Jazz")
        #expect(stored.details.texts(.genres) == ["Rock, Pop", "Jazz"])
    }

    @Test func listsHaveFourOrdersAndAState() async throws {
        for (index, (id, duration)) in [("b", 30.0), ("d", nil), ("a", 10), ("c", 20.5), ("e", 10)].enumerated() {
            var title = TitleRecord.sample(id, state: id == "d" ? .failed : .ready)
            title.duration = duration
            title.file = "\(index).mp4"
            try await catalogue.save(title)
        }
        func ids(_ order: RecordOrder, _ state: TitleState? = nil, matching words: String? = nil) async throws
            -> [String]
        {
            var (ids, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try await catalogue.titles(
                    RecordQuery(matching: words, order: order, state: state), after: cursor, limit: 2)
                ids += page.items.map(\.id)
                cursor = page.next
            } while cursor != nil
            return ids
        }
        for words in [nil, "mp4"] {
            #expect(try await ids(.title, matching: words) == ["a", "b", "c", "d", "e"])
            #expect(try await ids(.newest, matching: words) == ["e", "c", "a", "d", "b"])
            #expect(try await ids(.duration, matching: words) == ["d", "a", "e", "c", "b"])
            #expect(try await ids(.longest, matching: words) == ["b", "c", "e", "a", "d"])
            #expect(try await ids(.newest, .ready, matching: words) == ["e", "c", "a", "b"])
            #expect(try await ids(.title, .failed, matching: words) == ["d"])
        }
        let page = try await catalogue.titles(RecordQuery(order: .newest), after: nil, limit: 2)
        await #expect(throws: Refusal.self) {
            _ = try await catalogue.titles(RecordQuery(order: .duration), after: page.next, limit: 2)
        }
    }
}
