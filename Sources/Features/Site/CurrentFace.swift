package import HTTPEndpoints
import SiteTexts
import Synchronization

/// The look of the station, which changes when the configuration is loaded again.
package final class CurrentFace: Sendable {
    private let stored: Mutex<StationFace>

    package init(_ face: StationFace) {
        stored = Mutex(face)
        SiteLanguage.setFormalAddress(face.isFormal)
    }

    package var face: StationFace {
        get { stored.withLock { $0 } }
        set {
            stored.withLock { $0 = newValue }
            SiteLanguage.setFormalAddress(newValue.isFormal)
        }
    }
}
