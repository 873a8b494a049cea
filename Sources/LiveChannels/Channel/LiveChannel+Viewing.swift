import DASHManifest
import HLSPlaylist
import MediaCore
package import NIOCore
package import Packaging

/// The calls of viewers. Each takes the lock once; playlists are rendered outside of it, by their first reader.
extension LiveChannel {
    /// The channel's current window.
    package func window() -> LiveWindow {
        let now = clock.now()
        let configuration = configuration
        return withState { state in
            Self.dropStaleMedia(&state, configuration: configuration, now: now)
            return state.window
        }
    }

    /// The current playlist, rendered once per revision, or the reason to wait.
    package func playlist(_ request: LivePlaylistRequest) -> LivePlaylistAnswer {
        let now = clock.now()
        let configuration = configuration
        let (answer, lossLoop) = withState { state in
            Self.dropStaleMedia(&state, configuration: configuration, now: now)
            let answer = state.answer(request, now: now)
            return (answer, configuration.onLoss.action == .slate && state.awaitsViewer ? state.lossLoop : nil)
        }
        if let lossLoop { lossLoop.execute { self.offerSlate(on: lossLoop) } }
        return answer
    }

    /// The current playlist for a player that does not support low latency; `nil` if there is none.
    ///
    /// - Parameter name: `playlist` for the multivariant playlist, or a rendition's name.
    package func playlist(named name: Substring) -> RenderedPlaylist? {
        let request = LivePlaylistRequest(
            name: String(name), codecGeneration: withState(\.window.codecGeneration))
        guard case .ready(let playlist) = playlist(request) else { return nil }
        return playlist
    }

    /// A segment in memory; `nil` if there is none.
    package func segment(rendition: Substring, mediaSequence: Int, epoch: Substring) -> LiveSegment? {
        withState { $0.find(rendition) { $0.segment(mediaSequence: mediaSequence, epoch: epoch) } }
    }

    /// The content of a segment as MPEG-TS; `nil` if it is not complete or no longer in memory.
    package func transportStreamSegment(mediaSequence: Int, epoch: String) -> TransportStreamSegment? {
        withState { state in
            let segment = { (window: LiveWindow) in
                window.transportStreamSegment(mediaSequence: mediaSequence, epoch: epoch)
            }
            return segment(state.window) ?? state.former.flatMap { segment($0.window) }
        }
    }

    /// A part in memory; `nil` if there is none.
    package func part(at address: LivePartAddress) -> PartialSegment? {
        withState { $0.window.part(at: address) ?? $0.former?.window.part(at: address) }
    }

    /// An initialization section; `nil` if it is not known.
    package func initializationSection(rendition: Substring, number: Int, epoch: Substring) -> ByteBuffer? {
        withState { $0.find(rendition) { $0.initializationSection(epoch: epoch, number: number) } }
    }
}

extension LiveChannel.State {
    fileprivate mutating func answer(_ request: LivePlaylistRequest, now: WallClockTime) -> LivePlaylistAnswer {
        if let ended = formerPlaylist(request, now: now) { return .ready(ended) }
        guard window.isPlayable else { return mayBegin ? .pending(.firstPart) : .absent }
        watchedAt = now
        if let id = RenditionID(name: request.name) { askedForAt[id] = now }
        if let answer = reasonToWait(request) { return answer }
        window.noteHandedOut()
        if let start = request.start, request.mayStartEarlier {
            // Not stored, because every request may ask for another time.
            return window.rendered(request, from: start, now: now).map { .ready($0) } ?? .absent
        }
        let key = request.revisionKey
        if let rendered = playlists[key] { return .ready(rendered) }
        guard let rendered = window.rendered(key, now: now, manifests) else { return .absent }
        playlists[key] = rendered
        return .ready(rendered)
    }

    /// The answer for a request that has to wait or cannot be served; `nil` if the playlist can be returned at once.
    fileprivate func reasonToWait(_ request: LivePlaylistRequest) -> LivePlaylistAnswer? {
        if request.isTransportStream, let obstacle = window.transportStreamObstacle { return .unsuitable(obstacle) }
        guard !window.hasEnded else { return nil }
        guard let index = window.index(ofRenditionNamed: request.name[...]) else {
            guard request.name != LiveWindow.multivariantName, !window.listsSegments(named: request.name) else {
                return nil
            }
            return epoch == nil ? .absent : .pending(.firstSegment(rendition: request.name))
        }
        guard let position = request.position else {
            // Few players tolerate a playlist that lists no segment.
            guard window.renditions[index].listed.isEmpty, request.form != .partsAtOnce else { return nil }
            return epoch == nil ? .absent : .pending(.firstSegment(rendition: request.name))
        }
        guard window.renditions[index].mayWait(for: position, partTarget: window.configuration.partDuration) else {
            return .tooFarAhead
        }
        return window.renditions[index].hasReached(position)
            ? nil : .pending(.position(position, rendition: request.name))
    }

    /// Drops outdated renderings; the next request renders the playlist again.
    mutating func dropPlaylists(_ isOutdated: (LivePlaylistRequest) -> Bool) {
        for key in playlists.keys where isOutdated(key) { playlists.removeValue(forKey: key) }
    }
}

extension LiveWindow {
    /// - Parameters:
    ///   - now: the present, which manifests tell.
    ///   - manifests: remembers a manifest for patches; `nil` if there will be none.
    func rendered(
        _ request: LivePlaylistRequest, now: WallClockTime, _ manifests: ManifestHistory? = nil
    ) -> RenderedPlaylist? {
        let window = self
        if request.name == Self.manifestName {
            return RenderedPlaylist {
                let presentation = window.presentation(request.form, now: now)
                manifests?.note(presentation, request.form)
                return presentation.rendered()
            }
        }
        if request.isTransportStream {
            return request.name == LiveWindow.multivariantName
                ? RenderedPlaylist { window.transportStreamMultivariantPlaylist().rendered() }
                : RenderedPlaylist { window.transportStreamPlaylist().rendered() }
        }
        if request.name == Self.iFramesName {
            return hasVideo ? RenderedPlaylist { window.iFramePlaylist().rendered() } : nil
        }
        if request.name == LiveWindow.multivariantName {
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
