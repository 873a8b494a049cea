import Foundation
import HLSPlaylist
import Packaging
import TestSupport
import Testing

/// The EXT-X-MEDIA entries for a title's audio tracks.
struct AudioGroupsTests {
    struct Sound: Sendable {
        var encoder: String
        var language: String
        var isDefault = false
    }

    private func playlist(_ audioTracks: [Sound], hasVideo: Bool = true) async throws -> MultivariantPlaylist {
        let directory = try TemporaryDirectory(label: "sounds")
        let path = try directory.file("film.mp4")
        let source = try await MovieFixture.brief.path()
        var arguments = ["-v", "error", "-nostdin", "-i", source] + (hasVideo ? ["-map", "0:v", "-c:v", "copy"] : [])
        for (index, audio) in audioTracks.enumerated() {
            arguments += [
                "-map", "0:a", "-c:a:\(index)", audio.encoder, "-metadata:s:a:\(index)", "language=\(audio.language)",
                "-disposition:a:\(index)", audio.isDefault ? "default" : "0",
            ]
        }
        _ = try await ExternalTool.ffmpeg().run(arguments + [path])
        let playlist = try ExportedTitle(fileAt: path).multivariant
        // All groups have the same members, one default, and distinct names (rfc8216bis §4.4.6.1.1).
        let groups = Dictionary(grouping: playlist.renditions, by: \.groupID)
        for (id, members) in groups {
            // The group that every player supports may lack languages.
            if !id.hasSuffix("-compatible") { #expect(members.map(\.name) == playlist.renditions.map(\.name).uniqued) }
            #expect(Set(members.map(\.name)).count == members.count)
            #expect(members.count { $0.isDefault } == 1)
            #expect(members.allSatisfy { $0.isAutoselect && $0.channels == 2 })
        }
        #expect(Set(playlist.variants.compactMap(\.audioGroupID)) == Set(groups.keys))
        return playlist
    }

    @Test func languagesOfOneCodecAreOneGroup() async throws {
        let playlist = try await playlist([
            Sound(encoder: "aac", language: "spa"), Sound(encoder: "aac", language: "eng", isDefault: true),
            Sound(encoder: "aac", language: "eng"), Sound(encoder: "aac", language: "und"),
        ])
        #expect(playlist.renditions.map(\.name) == ["Español", "English", "English 2", "Audio"])
        #expect(playlist.renditions.map(\.language) == ["es", "en", "en", "und"])
        #expect(playlist.renditions.map(\.uri) == ["audio.m3u8", "audio-2.m3u8", "audio-3.m3u8", "audio-4.m3u8"])
        #expect(playlist.renditions.first(where: \.isDefault)?.name == "English")
        #expect(playlist.variants.count == 1)
        #expect(playlist.variants.first?.audioGroupID == "audio")
    }

    /// Each language is in each codec: a player without AC-3 finds a variant without it.
    @Test func codecsAreGroups() async throws {
        let playlist = try await playlist([
            Sound(encoder: "aac", language: "spa", isDefault: true), Sound(encoder: "ac3", language: "spa"),
            Sound(encoder: "aac", language: "eng"), Sound(encoder: "ac3", language: "eng"),
        ])
        #expect(playlist.variants.map(\.audioGroupID) == ["audio-aac", "audio-ac3"])
        #expect(playlist.variants[0].codecs.contains("mp4a.40.2") && !playlist.variants[0].codecs.contains("ac-3"))
        #expect(playlist.variants[1].codecs.contains("ac-3") && !playlist.variants[1].codecs.contains("mp4a.40.2"))
        #expect(playlist.variants[0].bandwidth < playlist.variants[1].bandwidth)
        #expect(
            playlist.renditions.filter { $0.groupID == "audio-ac3" }.map(\.uri) == ["audio-2.m3u8", "audio-4.m3u8"])
    }

    /// A language that a codec lacks comes from another codec, so that no variant lacks a language.
    @Test func groupsAreFilledUp() async throws {
        let playlist = try await playlist([
            Sound(encoder: "aac", language: "spa", isDefault: true), Sound(encoder: "ac3", language: "spa"),
            Sound(encoder: "aac", language: "eng"),
        ])
        #expect(playlist.variants.map(\.codecs).map { $0.dropFirst() } == [["mp4a.40.2"], ["ac-3", "mp4a.40.2"]])
    }

    /// Chromium plays no variant that names AC-3, whatever else is in it.
    @Test func thereIsAVariantThatEveryPlayerKnows() async throws {
        let playlist = try await playlist([
            Sound(encoder: "ac3", language: "eng", isDefault: true), Sound(encoder: "aac", language: "spa"),
        ])
        #expect(playlist.variants.map(\.codecs).map { $0.dropFirst() } == [["ac-3", "mp4a.40.2"], ["mp4a.40.2"]])
        #expect(playlist.variants.map(\.audioGroupID) == ["audio-ac3", "audio-compatible"])
        let compatible = playlist.renditions.filter { $0.groupID == "audio-compatible" }
        #expect(compatible.map(\.name) == ["Español"] && compatible.allSatisfy(\.isDefault))
    }

    @Test func thereIsNoneWhereNothingIsKnownToAll() async throws {
        let playlist = try await playlist([
            Sound(encoder: "ac3", language: "eng", isDefault: true), Sound(encoder: "eac3", language: "spa"),
        ])
        #expect(playlist.variants.count == 1)
        #expect(playlist.variants[0].codecs.dropFirst() == ["ac-3", "ec-3"])
    }

    @Test func audioTracksWithoutVideoAreAGroup() async throws {
        let playlist = try await playlist(
            [Sound(encoder: "aac", language: "spa"), Sound(encoder: "aac", language: "eng", isDefault: true)],
            hasVideo: false)
        #expect(playlist.variants.map(\.uri) == ["audio-2.m3u8"])
        #expect(playlist.variants.first?.codecs == ["mp4a.40.2"])
    }
}

extension [String] {
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
