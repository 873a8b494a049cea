package import HLSDelivery

/// Several that hear what players fetch.
package struct PlaybackObservers: PlaybackObserver {
    private let observers: [any PlaybackObserver]

    package init(_ observers: [any PlaybackObserver]) { self.observers = observers }

    package func played(_ playback: TitlePlayback) { for observer in observers { observer.played(playback) } }
}
