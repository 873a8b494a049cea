import MediaCore
import Packaging

/// The calls of an epoch's ladder to its channel.
extension LiveChannel {
    /// Notes the qualities that are made from now on. Viewers who come before they are there wait a little for them.
    func beginLadder(_ rungs: [ChannelStatus.RungStatus], identifier: String) {
        withState { state in
            guard state.epoch?.identifier == identifier else { return }
            state.presence.updateShown { $0.ladder = rungs }
            state.window.awaitRungs(rungs.compactMap { RenditionID(name: $0.rendition) })
        }
    }

    func updateLadder(
        _ rung: Int, identifier: String, _ change: (inout ChannelStatus.RungStatus) -> Void
    ) {
        withState { state in
            guard state.epoch?.identifier == identifier else { return }
            state.presence.updateShown { epoch in
                if epoch.ladder.indices.contains(rung) { change(&epoch.ladder[rung]) }
            }
        }
    }

    /// Adds a quality to the renditions of the push.
    func add(rung: RenditionID, identifier: String) {
        withState { state in
            guard state.epoch?.identifier == identifier else { return }
            state.presence.updateShown { $0.renditions.insert(rung) }
        }
    }

    /// Notes whether a quality is encoded, and tells observers.
    func setLadder(_ id: RenditionID, state new: LiveRungState, identifier: String, rung: Int, name: String) {
        let old = withState { state -> LiveRungState? in
            guard let epoch = state.epoch, epoch.identifier == identifier, epoch.ladder.indices.contains(rung) else {
                return nil
            }
            state.presence.updateShown { $0.ladder[rung].state = new }
            state.window.setOffered(new.isOffered, rung: id)
            state.dropPlaylists { $0.name == LiveWindow.multivariantName || $0.name == LiveWindow.manifestName }
            return epoch.ladder[rung].state
        }
        // That a quality sleeps while nobody watches is nothing to know.
        if let old, !old.isOffered || !new.isOffered { tell(.rung(name: name, state: new)) }
    }
}
