import Accounts
import Catalogue
import Community
package import HTTPEndpoints
import HLSDelivery
import MediaCore
package import PlaybackPositions
package import VideoClub

/// The titles, videos and tracks that positions are about, for members who may watch and hear them.
package struct PositionedItems: Sendable {
    private let content: any ContentSource
    private let club: VideoClub?
    private let viewing: VideoViewing?

    /// - Parameters:
    ///   - content: the library.
    ///   - club: the source of rentals; `nil` for a server without a video club.
    ///   - viewing: the members' videos; `nil` for a server without a community.
    package init(content: any ContentSource, club: VideoClub?, viewing: VideoViewing?) {
        (self.content, self.club, self.viewing) = (content, club, viewing)
    }

    /// The items with which the caller can go on. What is finished, gone, or not for the caller any more is left out.
    ///
    /// - Parameters:
    ///   - positions: the positions, in the order of the items.
    ///   - caller: the member.
    ///   - limit: the number of items that are wanted; no further ones are looked up.
    package func continued(
        _ positions: [PlaybackPosition], _ caller: GatewayRequestContext, limit: Int = .max
    ) async throws -> [PositionedItem] {
        var items: [PositionedItem] = []
        for position in positions where !position.isFinished {
            guard items.count < limit else { break }
            if let item = try await item(position, caller) { items.append(item) }
        }
        return items
    }

    /// Whether there is an item that the caller may know of.
    package func exists(
        _ kind: PlaybackPosition.Kind, _ id: String, _ caller: GatewayRequestContext
    ) async throws -> Bool {
        switch kind {
        case .title:
            guard caller.may(.read, caller.identity.audiences.title(id: id)) else { return false }
            return try await content.title(id: id) != nil
        case .track:
            guard caller.may(.read, caller.identity.audiences.track(id: id)) else { return false }
            return try await content.track(id: id) != nil
        case .video: return try await video(id, caller) != nil
        }
    }

    private func item(
        _ position: PlaybackPosition, _ caller: GatewayRequestContext
    ) async throws -> PositionedItem? {
        let id = position.item
        switch position.kind {
        case .title:
            guard caller.may(.read, caller.identity.audiences.title(id: id)),
                let title = try await content.title(id: id), title.state == .ready,
                try await mayWatch(title: id, caller)
            else { return nil }
            return PositionedItem(
                position, name: title.title, poster: ResourcePaths.poster(title),
                page: ResourcePaths.page(ofTitle: id))
        case .track:
            guard caller.may(.read, caller.identity.audiences.track(id: id)),
                let track = try await content.track(id: id), track.state == .ready
            else { return nil }
            return PositionedItem(
                position, name: track.title, poster: ResourcePaths.cover(track), page: ResourcePaths.page(ofTrack: id))
        case .video:
            guard let video = try await video(id, caller), let folder = viewing?.folder(of: video) else { return nil }
            return PositionedItem(
                position, name: video.name, poster: video.hasPoster ? "\(folder)/poster.jpg" : nil,
                page: ResourcePaths.page(ofVideo: video.id))
        }
    }

    private func video(_ text: String, _ caller: GatewayRequestContext) async throws -> Video? {
        guard let viewing, let id = OpaqueID(parsing: text) else { return nil }
        do {
            return try await viewing.video(id, caller)
        } catch is ProblemDetails {
            return nil
        } catch is Refusal {
            return nil
        }
    }

    /// Whether a title that has to be rented is rented at the moment.
    private func mayWatch(title id: String, _ caller: GatewayRequestContext) async throws -> Bool {
        guard let club, club.entitlements.needsRental(titleID: id), let member = caller.principal.member else {
            return true
        }
        if caller.may(.manage, caller.identity.audiences.title(id: id)) { return true }
        guard case .active = try await club.standing(of: member.id, title: id) else { return false }
        return true
    }
}
