import HLSPlaylist
package import NIOCore
package import Packaging

/// What viewers get. Each call takes the lock once; what is rendered is rendered outside of it, by who asks first.
extension LiveChannel {
    /// What viewers may have now.
    package func window() -> LiveWindow {
        let now = clock.now()
        return withState { state in
            Self.dropStaleMedia(&state, configuration: configuration, now: now)
            return state.window
        }
    }

    /// The playlist as it is now, rendered once a revision; or what has to be waited for.
    package func playlist(_ request: LivePlaylistRequest) -> LivePlaylistAnswer {
        let now = clock.now()
        return withState { state in
            Self.dropStaleMedia(&state, configuration: configuration, now: now)
            guard state.window.isPlayable else { return state.epoch == nil ? .absent : .pending(.firstPart) }
            if let answer = state.reasonToWait(request, configuration: configuration.packaging) { return answer }
            state.window.noteHandedOut()
            if let start = request.start {
                // Not kept: everybody may ask for another time.
                return state.window.rendered(request, from: start).map { .ready($0) } ?? .absent
            }
            let key = request.revisionKey
            if let rendered = state.playlists[key] { return .ready(rendered) }
            guard let rendered = state.window.rendered(key) else { return .absent }
            state.playlists[key] = rendered
            return .ready(rendered)
        }
    }

    /// What a player that knows nothing of low latency finds under that name now.
    ///
    /// - Parameter name: `playlist` for the multivariant one, or a rendition's name.
    package func playlist(named name: Substring) -> RenderedPlaylist? {
        guard case .ready(let playlist) = playlist(LivePlaylistRequest(name: String(name))) else { return nil }
        return playlist
    }

    package func segment(rendition: Substring, mediaSequence: Int, epoch: Substring) -> LiveSegment? {
        withState { $0.window.rendition(named: rendition)?.segment(mediaSequence: mediaSequence, epoch: epoch) }
    }

    package func part(at address: LivePartAddress) -> PartialSegment? { withState { $0.window.part(at: address) } }

    package func initializationSection(rendition: Substring, number: Int, epoch: Substring) -> ByteBuffer? {
        withState { $0.window.rendition(named: rendition)?.initializationSection(epoch: epoch, number: number) }
    }
}

extension LiveChannel.State {
    /// `nil` where the playlist can be had at once, if there is one.
    fileprivate func reasonToWait(
        _ request: LivePlaylistRequest, configuration: LivePackagingConfiguration
    ) -> LivePlaylistAnswer? {
        guard let rendition = window.rendition(named: request.name[...]) else { return nil }
        guard let position = request.position else {
            // Few players bear with a playlist that lists no segment.
            guard rendition.listed.isEmpty else { return nil }
            return epoch == nil ? .absent : .pending(.firstSegment(rendition: request.name))
        }
        guard rendition.mayWait(for: position, partTarget: configuration.partDuration) else { return .tooFarAhead }
        return rendition.hasReached(position) ? nil : .pending(.position(position, rendition: request.name))
    }

    /// Of what has changed, the next who asks gets a new one.
    mutating func forgetPlaylists(_ isOutdated: (LivePlaylistRequest) -> Bool) {
        for key in playlists.keys where isOutdated(key) { playlists.removeValue(forKey: key) }
    }
}

extension LiveWindow {
    fileprivate func rendered(_ request: LivePlaylistRequest) -> RenderedPlaylist? {
        let window = self
        if request.name == "playlist" {
            return RenderedPlaylist { window.multivariantPlaylist(request.form).rendered() }
        }
        guard let rendition = rendition(named: request.name[...]), rendition.edge != nil else { return nil }
        return RenderedPlaylist {
            let playlist = window.mediaPlaylist(of: rendition, request.form)
            if !rendition.archived.segments.isEmpty {
                return playlist.rendered(behind: rendition.archived.segments, skips: request.skips)
            }
            return (request.skips ? playlist.deltaUpdate(.segments) : playlist).rendered()
        }
    }
}
