import DatabaseTestSupport
import Foundation
import MediaWorker
import Packaging
import Testing

@testable import VODLibrary

@Suite(.eachEngine) struct LibrarySlateTests {
    @Test func aSlateIsMadeAgainWhenItsFileChangesAndStaysWhenThatHasGone() async throws {
        let fixture = try LibraryFixture(realWorker: true)
        let json = #"{"width": 160, "height": 90, "frameRate": 25, "frameRateDivisor": 1, "keyFrameInterval": 2}"#
        let shape = try JSONDecoder().decode(SlateShape.self, from: Data(json.utf8))
        func make(_ file: String?, _ present: Slate?) async throws -> Slate {
            try await fixture.library.makeSlate(shape, file: file, title: "Canal Ñ", name: "canalA", present: present)
        }
        let card = try await make(nil, nil)
        #expect(try await make(nil, card).source == card.source)
        try fixture.write(SampleMedia.movie(), to: fixture.vod("clip"))
        let first = try await make("clip", nil)
        #expect(first.source != nil)
        var marked = first
        marked.duration += 1
        #expect(try await make("clip", marked).duration == marked.duration, "nothing has changed")
        try fixture.write(SampleMedia.matroska(), to: fixture.vod("clip"))
        let second = try await make("clip", marked)
        #expect(second.source != first.source && second.duration != marked.duration)
        try FileManager.default.removeItem(atPath: fixture.vod("clip"))
        #expect(try await make("clip", second).source == second.source)
        await #expect(throws: WorkerFailure.self) { try await make("clip", nil) }
        #expect(fixture.dataFiles.allSatisfy { !$0.contains("slate") })
        fixture.remove()
    }
}
