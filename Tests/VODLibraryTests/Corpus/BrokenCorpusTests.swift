import Catalogue
import DatabaseTestSupport
import Foundation
import LibraryCore
import NIOCore
import Packaging
import TestSupport
import Testing

@testable import VODLibrary

/// Hundreds of broken files in the media folder: none of them takes the server down.
struct BrokenCorpusTests {
    @Test(.timeLimit(.minutes(10))) func everyBrokenFilePlaysOrSaysWhyNot() async throws {
        let samples = try BrokenCorpus.samples()
        let files = BrokenCorpus.broken(samples)
        #expect(files.count >= BrokenCorpus.Damage.allCases.count * samples.count)
        #expect(Set(files.map(\.name)).count == files.count)
        var states: [TitleState: Int] = [:]
        // Each engine gets every other kind of damage to each format: the workers are what takes the time.
        for (number, engine) in TestEngine.allCases.enumerated() {
            let share = files.enumerated().filter { position, _ in
                (position + position / BrokenCorpus.Damage.allCases.count) % TestEngine.allCases.count == number
            }.map(\.element)
            let found = try await TestEngine.$current.withValue(engine) { try await statesOfAll(share, samples) }
            states.merge(found, uniquingKeysWith: +)
        }
        let sampleCount = samples.count * TestEngine.allCases.count
        #expect(states[.ready, default: 0] > sampleCount && states[.failed, default: 0] > 40, "\(states)")
        if let seed = BrokenCorpus.searchSeed { print("seed \(seed): \(states)") }
    }

    /// Puts broken files and samples into a library, and checks what becomes of each.
    ///
    /// - Returns: the number of files in each state.
    private func statesOfAll(
        _ files: [BrokenCorpus.BrokenFile], _ samples: [BrokenCorpus.Sample]
    ) async throws -> [TitleState: Int] {
        let fixture = try LibraryFixture(realWorker: true)
        for file in files {
            let isAudio = file.name.hasPrefix("song")
            try fixture.write(file.data, to: isAudio ? fixture.audio(file.name) : fixture.vod(file.name))
        }
        for sample in samples {
            let isAudio = sample.name.hasPrefix("song")
            try fixture.write(sample.data, to: isAudio ? fixture.audio(sample.name) : fixture.vod(sample.name))
        }
        for section in LibrarySection.allCases { try await fixture.library.scanner.scan(section) }
        try await finish(fixture.library)
        let titles = try await fixture.catalogue.allTitles()
        let tracks = try await fixture.catalogue.allTracks()
        #expect(titles.count + tracks.count == files.count + samples.count)
        var states: [TitleState: Int] = [:]
        for title in titles {
            states[title.state, default: 0] += 1
            check(title.file, title.state, title.error, fixture)
            if title.state == .ready { try await expectDeliverable(try await fixture.library.packagedTitle(title)) }
        }
        for track in tracks {
            states[track.state, default: 0] += 1
            check(track.file, track.state, track.error, fixture)
            if track.state == .ready { try await expectDeliverable(try await fixture.library.packagedTrack(track)) }
        }
        for sample in samples {
            let state =
                sample.name.hasPrefix("song")
                ? try await fixture.track(sample.name)?.state : try await fixture.title(sample.name)?.state
            #expect(state == .ready, "\(sample.name)")
        }
        #expect(!fixture.dataFiles.contains { $0.hasSuffix(".part") })
        let kept = Set(titles.flatMap(\.pathsInUse) + tracks.flatMap(\.pathsInUse))
        for file in fixture.dataFiles {
            #expect(kept.contains("\(fixture.folder)/data/\(file)"), "\(file) is nobody's")
        }
        fixture.remove()
        return states
    }

    /// All lanes at once, with more workers than a server has: they are what takes the time.
    private func finish(_ library: VODLibrary) async throws {
        let running = Task { try await library.run(watching: false) }
        try await eventually("all files are tried", within: 600) { await library.jobs().isEmpty ? () : nil }
        running.cancel()
        try await running.value
    }

    private func check(_ file: String, _ state: TitleState, _ error: String?, _ fixture: LibraryFixture) {
        #expect(state.isFinal, "\(file) is \(state)")
        guard state == .failed else { return }
        let reason = error ?? ""
        #expect(reason.hasPrefix("\(file): ") && reason.count > file.count + 6, "\(file): \(reason)")
        #expect(!reason.contains(fixture.folder) && !reason.contains("killed by"), "\(reason)")
    }

    /// The segments of a title can be made, or reading them fails with an error, whatever the file contains.
    private func expectDeliverable(_ title: PackagedTitle?) async throws {
        guard let title else { return }
        _ = title.multivariantPlaylist()
        for rendition in title.renditions {
            _ = rendition.initializationSection()
            for index in rendition.segments.indices.prefix(20) {
                _ = try? title.segment(index, of: rendition, allocator: ByteBufferAllocator(), cachedOnly: false)
            }
        }
    }
}
