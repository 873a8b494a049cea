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
        var name: String?
        /// libav's name.
        var disposition: String?
    }

    private func playlist(_ audioTracks: [Sound], hasVideo: Bool = true) async throws -> MultivariantPlaylist {
        let directory = try TemporaryDirectory(label: "sounds")
        let path = try directory.file("film.mp4")
        let source = try await MovieFixture.brief.path()
        var arguments = ["-v", "error", "-nostdin", "-i", source] + (hasVideo ? ["-map", "0:v", "-c:v", "copy"] : [])
        for (index, audio) in audioTracks.enumerated() {
            arguments += [
                "-map", "0:a", "-c:a:\(index)", audio.encoder, "-metadata:s:a:\(index)", "language=\(audio.language)",
                "-disposition:a:\(index)", audio.disposition ?? (audio.isDefault ? "default" : "0"),
            ]
            if let name = audio.name { arguments += ["-metadata:s:a:\(index)", "title=\(name)"] }
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
            #expect(members.allSatisfy { $0.channels == 2 })
            #expect(members.allSatisfy { $0.isAutoselect || $0.characteristics == ["public.auxiliary-content"] })
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

    @Test func tracksHaveTheNamesOfTheirAuthor() async throws {
        let playlist = try await playlist([
            Sound(encoder: "aac", language: "spa", isDefault: true, name: "Surround 5.1"),
            Sound(encoder: "aac", language: "spa", name: "Comentario del director", disposition: "comment"),
            Sound(encoder: "aac", language: "eng", name: "Surround 5.1"),
            Sound(encoder: "aac", language: "eng", disposition: "visual_impaired"),
            Sound(encoder: "aac", language: "eng"), Sound(encoder: "aac", language: "eng"),
        ])
        #expect(
            playlist.renditions.map(\.name) == [
                "Español, Surround 5.1", "Comentario del director", "English, Surround 5.1",
                "English (audio description)", "English", "English 2",
            ])
        #expect(playlist.renditions.map(\.language) == ["es", "es", "en", "en", "en", "en"])
        #expect(playlist.renditions[1].characteristics == ["public.auxiliary-content"])
        #expect(!playlist.renditions[1].isAutoselect)
        #expect(playlist.renditions[3].characteristics == ["public.accessibility.describes-video"])
        #expect(
            playlist.renditions.indices.allSatisfy {
                [1, 3].contains($0) || playlist.renditions[$0].characteristics.isEmpty
            })
    }

    /// A name is text of a stranger: it does not end an attribute or a line, is not longer than a menu, and not taken.
    @Test func aNameDoesNotBreakThePlaylist() async throws {
        let hostile = "Say \"hi\",\n#EXT-X-ENDLIST\r\u{202E}<b>&amp;\u{1B}[31m"
        let playlist = try await playlist([
            Sound(encoder: "aac", language: "spa", isDefault: true, name: hostile),
            Sound(encoder: "aac", language: "spa", name: hostile.replacing("\"", with: "'")),
            Sound(encoder: "aac", language: "spa", name: String(repeating: "ñ", count: 400)),
            Sound(encoder: "aac", language: "spa", name: " \n "),
            Sound(encoder: "aac", language: "spa", name: "Español 2"),
            Sound(encoder: "aac", language: "spa"),
        ])
        let names = playlist.renditions.map(\.name)
        #expect(names[0] == "Say 'hi', #EXT-X-ENDLIST <b>&amp; [31m" && names[1] == "\(names[0]) 2")
        #expect(names[2] == String(repeating: "ñ", count: 80))
        #expect(names[3...] == ["Español", "Español 2", "Español 3"])
        #expect(try MultivariantPlaylist(parsing: playlist.rendered()).renditions.map(\.name) == names)
    }

    /// A commentary is not what a viewer hears who has not chosen.
    @Test func aCommentaryIsNotTheDefault() async throws {
        let playlist = try await playlist([
            Sound(encoder: "aac", language: "spa", disposition: "default+comment"),
            Sound(encoder: "aac", language: "spa", isDefault: true),
        ])
        #expect(playlist.renditions.map(\.name) == ["Español (commentary)", "Español"])
        #expect(playlist.renditions.map(\.isDefault) == [false, true])
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
