import DatabaseTestSupport
import Foundation
import Glibc
import MediaCore
import Synchronization
import Testing

@testable import Catalogue

@Suite(.eachEngine) struct ImageStoreTests {
    private func ready(_ id: String, videoCodec: String? = "H.264", state: TitleState = .ready) -> TitleRecord {
        var title = TitleRecord.sample(id, state: state)
        title.videoCodec = videoCodec
        return title
    }

    @Test func changesPicturesAndNothingElse() async throws {
        let temporary = try TemporaryCatalogue()
        let title = try await temporary.catalogue.add(ready("film"))
        let change = try #require(
            try await temporary.catalogue.changeImages(ofTitle: title.id, revision: title.revision) { pictures in
                pictures = .init(poster: "/p.jpg", posterTime: 1.5, uploadedPoster: "/u.jpg", storyboard: "/s")
            })
        #expect(change.old == title)
        #expect(try await temporary.catalogue.title(id: title.id) == change.new)
        #expect(change.new.posterTime == 1.5 && change.new.storyboard == "/s")
        // A job that read the title earlier writes the other fields and does not change the operator's choice.
        var stale = title
        stale.duration = 7
        #expect(try await temporary.catalogue.update(stale, from: title.revision))
        let kept = try #require(try await temporary.catalogue.title(id: title.id))
        #expect(kept.duration == 7 && kept.posterTime == 1.5 && kept.uploadedPoster == "/u.jpg")
        for (id, revision) in [(title.id, "other"), ("nobody", nil)] as [(String, String?)] {
            #expect(
                try await temporary.catalogue.changeImages(ofTitle: id, revision: revision) { $0.poster = "x" } == nil
            )
        }
    }

    @Test func oneOfManyWhoHaveSeenTheSameTitleWins() async throws {
        let temporary = try TemporaryCatalogue()
        let title = try await temporary.catalogue.add(ready("film"))
        let changed = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let change = try? await temporary.catalogue.changeImages(
                        ofTitle: title.id, revision: nil, if: { $0 == title }
                    ) { $0.poster = "/\(number).jpg" }
                    return change != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(changed == 1)
        await #expect(throws: Refusal.changedMeanwhile(title.id)) {
            _ = try await temporary.catalogue.changeImages(ofTitle: title.id, revision: nil, if: { $0 == title }) {
                $0.poster = nil
            }
        }
        #expect(try await temporary.catalogue.title(id: title.id)?.poster != nil)
    }

    /// Counts those who have a turn at the same time.
    private final class Turns: Sendable {
        private let counts = Mutex((inside: 0, most: 0))

        var most: Int { counts.withLock(\.most) }

        func take() -> Bool {
            counts.withLock { $0 = ($0.inside + 1, max($0.most, $0.inside + 1)) }
            sched_yield()
            counts.withLock { $0.inside -= 1 }
            return true
        }
    }

    /// Data beside the database changes in turn with the record.
    @Test func whileATitleIsHeldNobodyElseChangesIt() async throws {
        let temporary = try TemporaryCatalogue()
        let title = try await temporary.catalogue.add(ready("film"))
        let turns = Turns()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    _ = try await temporary.catalogue.changeImages(
                        ofTitle: title.id, revision: nil, if: { _ in turns.take() }
                    ) { $0.poster = "/p.jpg" }
                }
                group.addTask { _ = try await temporary.catalogue.holdingTitle(id: title.id) { _ in turns.take() } }
            }
            try await group.waitForAll()
        }
        #expect(turns.most == 1)
        #expect(try await temporary.catalogue.holdingTitle(id: "nobody") { _ in true } == nil)
        #expect(try await temporary.catalogue.holdingTitle(id: title.id) { $0.poster } == "/p.jpg")
    }

    @Test func manyAtTheSameTimeLoseNothing() async throws {
        let temporary = try TemporaryCatalogue()
        let title = try await temporary.catalogue.add(ready("film"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    _ = try await temporary.catalogue.changeImages(ofTitle: title.id, revision: nil) { pictures in
                        pictures.posterTime = (pictures.posterTime ?? 0) + 1
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await temporary.catalogue.title(id: title.id)?.posterTime == 50)
    }

    @Test func findsTitlesWithoutAStoryboardInTurns() async throws {
        let temporary = try TemporaryCatalogue()
        for number in 0..<5 { _ = try await temporary.catalogue.add(ready("film-\(number)")) }
        _ = try await temporary.catalogue.add(ready("sound", videoCodec: nil))
        _ = try await temporary.catalogue.add(ready("queued", state: .queued))
        _ = try await temporary.catalogue.changeImages(ofTitle: "film-1", revision: nil) { $0.storyboard = "/s" }
        let first = try await temporary.catalogue.titlesWithoutStoryboard(after: 0, limit: 3)
        #expect(first.titles.map(\.id) == ["film-0", "film-2", "film-3"])
        let second = try await temporary.catalogue.titlesWithoutStoryboard(after: first.last, limit: 3)
        #expect(second.titles.map(\.id) == ["film-4"])
        let third = try await temporary.catalogue.titlesWithoutStoryboard(after: second.last, limit: 3)
        #expect(third.titles.isEmpty && third.last == second.last)
    }
}

extension TitleImages {
    fileprivate init(poster: String?, posterTime: Double?, uploadedPoster: String?, storyboard: String?) {
        self.init(TitleRecord.sample("x"))
        self.poster = poster
        self.posterTime = posterTime
        self.uploadedPoster = uploadedPoster
        self.storyboard = storyboard
    }
}
