import DASHManifest
import MediaCore
import Packaging
import Synchronization

/// The manifests of a channel that players may have, from which they go on with a patch. A player asks every few
/// seconds, so that only the latest manifests are kept; one with an older manifest gets a whole one.
final class ManifestHistory: Sendable {
    private struct Entry {
        var form: LivePlaylistForm
        /// Milliseconds since 1970.
        var publishedAt: Int64
        /// `nil` if two manifests were published in the same millisecond, so that nobody knows which of them a player
        /// has.
        var presentation: MediaPresentationDescription?
    }

    private struct PatchKey: Hashable {
        var form: LivePlaylistForm
        var old, new: Int64
    }

    private struct State {
        /// The manifests in the order of their publication.
        var entries: [Entry] = []
        var patches: [PatchKey: RenderedPlaylist] = [:]

        mutating func dropOld() {
            let newest = entries.last?.publishedAt ?? 0
            let oldest = newest.subtractingSaturating(ManifestHistory.lifetime.components.seconds * 1_000)
            var elementCount = entries.reduce(0) { $0 + ($1.presentation?.timelineElementCount ?? 0) }
            while entries.count > 2, let first = entries.first,
                entries.count > ManifestHistory.maximumCount || first.publishedAt < oldest
                    || elementCount > ManifestHistory.maximumElementCount
            {
                elementCount -= first.presentation?.timelineElementCount ?? 0
                entries.removeFirst()
            }
            let kept = Set(entries.map(\.publishedAt))
            for key in patches.keys where key.new != newest || !kept.contains(key.old) { patches[key] = nil }
        }
    }

    private let state = Mutex(State())

    /// Time after its publication for which a manifest is kept.
    static let lifetime = Duration.seconds(30)
    /// Limit of the manifests: several for each segment, because those of video and audio begin at different times.
    static let maximumCount = 32
    /// Limit of the elements for segments in all manifests together, of some 24 bytes each. Two manifests are kept in
    /// any case.
    static let maximumElementCount = 100_000

    /// Adds a manifest that is handed out.
    func note(_ presentation: MediaPresentationDescription, _ form: LivePlaylistForm) {
        guard case .live(let live) = presentation.kind else { return }
        state.withLock { state in
            let place = state.entries.firstIndex { $0.publishedAt >= live.publishedAt } ?? state.entries.count
            let known = state.entries[place...].prefix { $0.publishedAt == live.publishedAt }.firstIndex {
                $0.form == form
            }
            if let known {
                if state.entries[known].presentation != presentation { state.entries[known].presentation = nil }
            } else {
                state.entries.insert(
                    Entry(form: form, publishedAt: live.publishedAt, presentation: presentation), at: place)
            }
            state.dropOld()
        }
    }

    /// The patch from a manifest to the newest one.
    ///
    /// - Parameters:
    ///   - published: the time of publication of the manifest that a player has, in milliseconds since 1970.
    ///   - form: its form.
    /// - Returns: `nil` if the manifest is not known, or of another presentation.
    func patch(from published: Int64, _ form: LivePlaylistForm) -> RenderedPlaylist? {
        state.withLock { state in
            guard
                let old = state.entries.first(where: { $0.publishedAt == published && $0.form == form })?.presentation,
                let newest = state.entries.last(where: { $0.form == form }), let new = newest.presentation,
                case .live(let before) = old.kind, case .live(let after) = new.kind, before.id == after.id
            else { return nil }
            let key = PatchKey(form: form, old: published, new: newest.publishedAt)
            if let known = state.patches[key] { return known }
            let patch = RenderedPlaylist { ManifestPatch.text(from: old, to: new) ?? "" }
            state.patches[key] = patch
            return patch
        }
    }
}
