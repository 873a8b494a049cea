import APIContract
package import Accounts
package import Catalogue
package import Community
package import LiveChannels
import MediaWorker

/// The paths of titles, tracks, competitions, videos and their images on this server.
package enum ResourcePaths {
    /// The page of all live channels.
    package static let live = "/directo"

    /// The page of one live channel.
    package static func page(ofChannel name: String) -> String { "\(live)/\(PathEncoding.component(name))" }

    /// The page of a title.
    package static func page(ofTitle id: String) -> String { "/videoclub?title=\(PathEncoding.component(id))" }
    /// The page of a track.
    package static func page(ofTrack id: String) -> String { "/radio?track=\(PathEncoding.component(id))" }

    /// The path of a channel's multivariant playlist for players that begin with the first part, as the site's does.
    package static func playerPlaylist(_ channel: ChannelStatus) -> String { "\(channel.playlist)?ll=1" }
    /// The path of a title's multivariant playlist on this server.
    package static func playlist(_ title: TitleRecord) -> String { "/vod/\(title.id)/playlist.m3u8" }
    /// The path of a track's playlist on this server.
    package static func playlist(_ track: AudioTrackRecord) -> String { "/radio/\(track.id)/playlist.m3u8" }

    /// The path of a title's DASH manifest on this server.
    package static func manifest(_ title: TitleRecord) -> String { "/vod/\(title.id)/manifest.mpd" }
    /// The path of a track's DASH manifest on this server.
    package static func manifest(_ track: AudioTrackRecord) -> String { "/radio/\(track.id)/manifest.mpd" }

    /// The path of a title's poster, with its version; `nil` if it has none.
    package static func poster(_ title: TitleRecord) -> String? {
        title.poster.map { "/vod/\(title.id)/poster.jpg?v=\(imageVersion($0))" }
    }

    /// The path of a title's storyboard, with the title's revision; `nil` if it has none.
    package static func storyboard(_ title: TitleRecord) -> String? {
        title.storyboard == nil ? nil : "/vod/\(title.id)/\(Storyboard.fileName)?v=\(title.revision)"
    }

    /// The first part of the paths of competitions and videos.
    package static let community = "/comunidad"
    /// The path of the public page of a member.
    package static func page(ofMember name: String) -> String {
        "\(community)/miembro/\(PathEncoding.component(name))"
    }

    /// The path of the photo of a member, which other members see; `nil` if they have none.
    ///
    /// - Parameters:
    ///   - name: their username.
    ///   - version: the version of the photo.
    package static func photo(ofMember name: String?, _ version: String?) -> String? {
        guard let name, let version else { return nil }
        return "/api/v1/users/\(PathEncoding.component(name))/photo?v=\(version)"
    }

    /// The path of the photo of a player of matches, which changes with it; `nil` without one.
    ///
    /// - Parameters:
    ///   - id: the player; `nil` for a name that is not among the players.
    ///   - version: the version of the photo.
    package static func photo(ofPlayer id: String?, _ version: String?) -> String? {
        guard let id, let version else { return nil }
        return "/api/v1/players/\(PathEncoding.component(id))/photo?v=\(version)"
    }

    /// The first part of the paths of a member's contacts and messages.
    package static let messages = "\(community)/mensajes"
    /// The path of the page of a conversation.
    package static func page(ofConversation id: OpaqueID) -> String { "\(messages)/c/\(id)" }
    /// The path of the page on which an invitation to become contacts is answered.
    package static func page(ofContactInvitation id: OpaqueID) -> String { "\(messages)/invitaciones/\(id)" }

    /// The prefix of the paths of videos' pages.
    package static let videos = "\(community)/video/"

    /// The path of the page of a competition.
    package static func page(ofCompetition id: OpaqueID) -> String { "\(community)/\(id)" }
    /// The path of the page of a video.
    package static func page(ofVideo id: OpaqueID) -> String { "\(videos)\(id)" }

    /// The path of a competition's image, with its version; `nil` if it has none.
    package static func image(_ competition: Competition) -> String? {
        competition.image.map { "/api/v1/competitions/\(competition.id)/image?v=\($0)" }
    }

    /// The path of a competition's map.
    package static func map(ofCompetition id: OpaqueID) -> String { "/api/v1/competitions/\(id)/map" }

    /// The path of the image of a competition's map, with its version; `nil` for a map without an image.
    package static func image(of map: CompetitionMap, ofCompetition id: OpaqueID) -> String? {
        guard case .image(_, _, let version) = map.ground else { return nil }
        return "\(self.map(ofCompetition: id))/image?v=\(version)"
    }

    /// A version for a poster's URL, derived from the file's path, so that a new image gets a new URL.
    package static func imageVersion(_ path: String) -> String {
        // FNV-1a only has to distinguish the images of one title; forging a collision gains nothing.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in path.utf8.suffix(maximumVersionedByteCount) {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 36)
    }

    /// Number of bytes at the end of the path that are hashed; a file name is not longer.
    private static let maximumVersionedByteCount = 255

    /// The path of the current picture of a channel; `nil` if it is not on the air.
    package static func thumbnail(of channel: ChannelStatus) -> String? {
        channel.state == .live ? "/live/\(channel.name)/thumbnail.jpg" : nil
    }

    /// The path of a track's cover, with its version; `nil` if it has none.
    package static func cover(_ track: AudioTrackRecord) -> String? {
        track.shownCover.map { "/radio/\(track.id)/cover?v=\(imageVersion($0.path))" }
    }
}
