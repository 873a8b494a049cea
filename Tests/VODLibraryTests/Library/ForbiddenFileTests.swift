import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import MediaFolders
import MediaWorker
import Synchronization
import Testing

@testable import VODLibrary

/// Files that the server may not read, until somebody lets it: their sizes and dates stay as they are.
@Suite(.eachEngine) struct ForbiddenFileTests {
    /// The paths that may not be read.
    private final class Forbidden: Sendable {
        private let paths = Mutex<Set<String>>([])

        func set(_ new: Set<String>) { paths.withLock { $0 = new } }
        func contains(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }
    }

    private let forbidden = Forbidden()

    private func library(folder: String? = nil) throws -> LibraryFixture {
        let forbidden = forbidden
        return try LibraryFixture(
            folder: folder,
            worker: FakeWorker { request, _ in
                guard !forbidden.contains(request.input) else {
                    throw LibraryError(.unplayable, "cannot be read: Permission denied")
                }
                return try FakeWorker.succeed(request)
            }, files: LibraryFiles(isForbidden: { forbidden.contains($0) }))
    }

    private func state(_ section: LibrarySection, in library: LibraryFixture) async throws -> (String, TitleState)? {
        switch section {
        case .titles: try await library.title("film.mkv").map { ($0.id, $0.state) }
        case .tracks: try await library.track("song.mp3").map { ($0.id, $0.state) }
        }
    }

    private func write(to library: LibraryFixture, _ section: LibrarySection) throws -> String {
        section == .titles
            ? try library.write(SampleMedia.matroska(), to: library.vod("film.mkv"))
            : try library.write(Data("sound".utf8), to: library.audio("song.mp3"))
    }

    @Test(arguments: LibrarySection.allCases) func aFileIsTriedAgainWhenItMayBeRead(
        section: LibrarySection
    ) async throws {
        let library = try library()
        let path = try write(to: library, section)
        forbidden.set([path])
        try await library.settle()
        let failed = try #require(try await state(section, in: library))
        #expect(failed.1 == .failed)
        let requestCount = library.worker.requests.count
        try await library.settle()
        #expect(library.worker.requests.count == requestCount, "nothing has changed")
        forbidden.set([])
        try await library.settle()
        let ready = try #require(try await state(section, in: library))
        #expect(ready.0 == failed.0 && ready.1 == .ready)
        // What plays is not begun again.
        forbidden.set([path])
        try await library.settle()
        #expect(try await state(section, in: library)?.1 == .ready)
        library.remove()
    }

    @Test(arguments: LibrarySection.allCases) func soIsOneThatMayBeReadAfterARestart(
        section: LibrarySection
    ) async throws {
        let first = try library()
        forbidden.set([try write(to: first, section)])
        try await first.settle()
        #expect(try await state(section, in: first)?.1 == .failed)
        forbidden.set([])
        let second = try library(folder: first.folder)
        try await second.library.resume()
        try await second.settle()
        #expect(try await state(section, in: second)?.1 == .ready)
        first.remove()
    }

    @Test func aFileThatFailsForAnotherReasonIsNotTriedAgain() async throws {
        let library = try LibraryFixture(
            worker: FakeWorker { _, _ in throw LibraryError(.unplayable, "is damaged") },
            files: LibraryFiles(isForbidden: { _ in false }))
        try library.write(Data("sound".utf8), to: library.audio("song.mp3"))
        try await library.settle()
        try await library.settle()
        #expect(library.worker.requests.count == 1)
        library.remove()
    }
}
