import Foundation
import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import TestSupport
import Testing

@testable import LiveChannels

/// The effect of another `channels.json` on channels, pushes and viewers.
struct ReconfiguringTests {
    let clock = TestClock()

    private func configuration(
        _ name: String, _ change: (inout ChannelConfiguration) -> Void = { _ in }
    ) -> ChannelConfiguration {
        var configuration = TestMedia.channelConfiguration()
        configuration.name = name
        change(&configuration)
        return configuration
    }

    private func directory(_ names: String...) -> LiveChannelDirectory {
        LiveChannelDirectory(
            configurations: names.map { configuration($0) }, clock: clock.wallClock, logger: TestMedia.silent)
    }

    private func publisher(_ directory: LiveChannelDirectory, _ name: String) throws -> SyntheticPublisher {
        let publisher = SyntheticPublisher(try #require(directory.channel(named: name)), clock: clock)
        try publisher.begin()
        return publisher
    }

    @Test func channelsAppearChangeAndGoWithoutTouchingOthers() throws {
        let directory = directory("one", "two", "three")
        let (one, two) = (try publisher(directory, "one"), try publisher(directory, "two"))
        let observer = PlaylistObserver(one.channel, clock: clock)
        for _ in 0..<20 {
            one.run(seconds: 0.5)
            observer.loadAll()
        }
        two.run(seconds: 10)
        let changes = directory.reconfigure([
            configuration("four"), configuration("one"), configuration("two") { $0.title = "Second" },
        ])
        #expect(changes.added == ["four"] && changes.changed == ["two"] && changes.removed == ["three"])
        #expect(directory.all.map(\.name) == ["four", "one", "two"])
        #expect(directory.channel(named: "one") === one.channel && directory.channel(named: "two") === two.channel)
        #expect(directory.channel(named: "three") == nil)
        #expect(two.channel.status().title == "Second")
        #expect(one.kicks.reasons.isEmpty && two.kicks.reasons.isEmpty)
        for _ in 0..<20 {
            one.run(seconds: 0.5)
            observer.loadAll()
        }
        #expect(one.channel.status().state == .live && observer.loadCount > 30)
        #expect(directory.reconfigure(directory.all.map(\.configuration)) == LiveChannelChanges())
    }

    @Test func aRemovedChannelEndsItsPushWithAReasonAndItsPlaylists() throws {
        let directory = directory("one", "two")
        let publisher = try publisher(directory, "one")
        let channel = publisher.channel
        publisher.run(seconds: 10)
        _ = directory.reconfigure([configuration("two")])
        #expect(publisher.kicks.reasons == ["one was removed from channels.json"])
        #expect(directory.channel(named: "one") == nil && directory.viewableChannel(named: "one") === channel)
        #expect(try playlist(channel).hasEndList == false, "its push has not ended yet")
        publisher.end(isIntended: true)
        let ended = try playlist(channel)
        #expect(ended.hasEndList && !ended.segments.isEmpty)
        #expect(throws: PublishingError.closed) { try SyntheticPublisher(channel, clock: clock).begin() }
        clock.advance(by: .milliseconds(50_000))
        directory.dropRetired()
        #expect(directory.viewableChannel(named: "one") === channel, "a player may still load its playlist")
        clock.advance(by: LiveChannel.retention)
        directory.dropRetired()
        #expect(directory.viewableChannel(named: "one") == nil)
    }

    @Test func aRemovedIdleChannelEndsItsPlaylistsAtOnce() throws {
        let directory = directory("one")
        let publisher = try publisher(directory, "one")
        publisher.run(seconds: 10)
        publisher.end()
        _ = directory.reconfigure([])
        #expect(try playlist(publisher.channel).hasEndList && publisher.channel.status().state == .idle)
    }

    /// A slip in the file, mended a minute later.
    @Test func aChannelThatComesBackGoesOnWithItsNumbers() throws {
        let directory = directory("one")
        let first = try publisher(directory, "one")
        var histories = PlaylistHistories()
        first.run(seconds: 10)
        histories.load(first.channel)
        _ = directory.reconfigure([])
        first.end(isIntended: true)
        histories.load(first.channel)
        clock.advance(by: .milliseconds(30_000))
        let changes = directory.reconfigure([configuration("one")])
        #expect(changes.added == ["one"] && directory.channel(named: "one") === first.channel)
        let second = try publisher(directory, "one")
        second.run(seconds: 10)
        let last = try playlist(second.channel)
        #expect(!last.hasEndList && last.mediaSequence > 0)
        #expect(second.channel.status().state == .live && second.kicks.reasons.isEmpty)
    }

    @Test func aChangedPresetHoldsForTheNextPush() throws {
        let directory = directory("one")
        let publisher = try publisher(directory, "one")
        publisher.run(seconds: 5)
        let promised = publisher.channel.status().presetComparison?.videoBitrate.promised
        _ = directory.reconfigure([
            configuration("one") { configuration in
                for index in configuration.presets.indices { configuration.presets[index].videoBitRate = 100_000 }
            }
        ])
        publisher.run(seconds: 5)
        #expect(publisher.channel.status().presetComparison?.videoBitrate.promised == promised)
        publisher.end()
        try publisher.begin()
        publisher.run(seconds: 5)
        #expect(publisher.channel.status().presetComparison?.videoBitrate.promised == 100_000)
    }

    @Test func durationsChangeWithTheNextPushThatNobodyWatches() throws {
        let directory = directory("one")
        let publisher = try publisher(directory, "one")
        let channel = publisher.channel
        publisher.run(seconds: 10)
        let before = try playlist(channel).targetDuration
        _ = directory.reconfigure([configuration("one") { $0.packaging.targetDuration = 9 }])
        publisher.run(seconds: 10)
        #expect(try playlist(channel).targetDuration == before)
        publisher.end()
        try publisher.begin()
        publisher.run(seconds: 10)
        #expect(try playlist(channel).targetDuration == before, "somebody has watched just now")
        publisher.end()
        clock.advance(by: .milliseconds(10 * 60_000))
        try publisher.begin()
        publisher.run(seconds: 10)
        #expect(try playlist(channel).targetDuration == 9)
    }

    @Test func aLossPolicyChangesWhileThePublisherIsAway() throws {
        let directory = directory("one")
        let publisher = try publisher(directory, "one")
        publisher.run(seconds: 10)
        publisher.end()
        clock.advance(by: .milliseconds(40_000))
        #expect(try playlist(publisher.channel).hasEndList == false)
        _ = directory.reconfigure([
            configuration("one") { $0.onLoss = LossPolicy(action: .end, timeoutSeconds: 30) }
        ])
        #expect(try playlist(publisher.channel).hasEndList)
    }

    @Test func timeShiftAndRecordingChangeDuringAPush() throws {
        let archive = try ArchiveFixture()
        let channel = archive.channel
        let publisher = SyntheticPublisher(channel, clock: archive.clock)
        try publisher.begin()
        archive.run(publisher, seconds: 40)
        #expect(archive.recordings().isEmpty)
        let listed = try playlist(channel).segments.count
        var configuration = channel.configuration
        configuration.title = "Second"
        configuration.archive = ArchivePolicy(windowSeconds: 600, recordsAlways: true)
        channel.reconfigure(configuration)
        archive.run(publisher, seconds: 60)
        #expect(archive.status.state == .recording && archive.recordings().count == 1)
        let shifted = try playlist(channel)
        #expect(shifted.segments.count > listed + 10)
        #expect(shifted.segments.allSatisfy { !$0.isGap }, "what was published before is not listed as missing")
        configuration.archive = ArchivePolicy()
        channel.reconfigure(configuration)
        archive.run(publisher, seconds: 20)
        #expect(archive.status.state == .idle)
        #expect(archive.status.reason == "channels.json no longer asks for recordings")
        let path = archive.path(ofRecording: try #require(archive.recordings().first))
        #expect(try PackagedTitle(path: path).name?.hasPrefix("Second, ") == true)
        #expect(try playlist(channel).segments.count <= listed + 1)
        #expect(publisher.kicks.reasons.isEmpty)
    }

    /// The slate that is shown gives way to one with the new title, and to nothing where none is wanted any more.
    @Test func aSlateChangesWhileItIsShown() throws {
        let slates = SlateTests.FakeSlates()
        let channel = LiveChannel(
            configuration: TestMedia.channelConfiguration(onLoss: LossPolicy(action: .slate)),
            with: ChannelEquipment(slates: slates), clock: clock.wallClock, logger: TestMedia.silent)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 20)
        func pass(_ seconds: Int) {
            for _ in 0..<(seconds * 10) {
                clock.advance(by: .milliseconds(100))
                channel.viewers.saw(1, now: clock.time)
                publisher.eventLoop.advanceTime(by: .milliseconds(100))
                slates.answer(.success(SlateTests.slate))
            }
        }
        channel.viewers.saw(1, now: clock.time)
        publisher.end()
        pass(5)
        #expect(channel.status().slate == true && slates.designs.last?.title == "Canal A")
        var configuration = channel.configuration
        configuration.title = "Second"
        channel.reconfigure(configuration)
        pass(5)
        #expect(channel.status().slate == true)
        #expect(slates.designs.last == SlateDesign(file: nil, title: "Second"))
        configuration.onLoss = LossPolicy(action: .hold)
        channel.reconfigure(configuration)
        pass(5)
        #expect(channel.status().slate == nil && channel.status().state == .interrupted)
    }

    private func playlist(_ channel: LiveChannel) throws -> MediaPlaylist {
        try MediaPlaylist(parsing: try #require(PlaylistHistories.text("video", of: channel)))
    }
}
