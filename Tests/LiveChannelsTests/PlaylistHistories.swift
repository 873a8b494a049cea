import HLSConformance
import LiveChannels
import NIOCore
import Packaging

/// Loads both renditions' playlists repeatedly, as a player does, and has the conformance checker judge them. Continues
/// from one server to the next.
struct PlaylistHistories {
    private var video = LivePlaylistHistory()
    private var audio = LivePlaylistHistory()

    mutating func load(_ channel: LiveChannel) {
        if let load = Self.playlist("video", of: channel) { video.add(load) }
        if let load = Self.playlist("audio", of: channel) { audio.add(load) }
    }

    var findings: [String] { (video.findings + audio.findings).map(\.description) }

    static func text(_ name: String, of channel: LiveChannel) -> String? {
        channel.playlist(named: name[...]).map { String(buffer: $0.plain) }
    }

    private static func playlist(_ name: String, of channel: LiveChannel) -> PlaylistLoad? {
        text(name, of: channel).map {
            PlaylistLoad(url: "\(name).m3u8", text: $0, contentType: nil, contentEncoding: nil)
        }
    }
}
