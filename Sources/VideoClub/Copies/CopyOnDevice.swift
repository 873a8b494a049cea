package import Accounts
package import MediaCore

/// What one device has of the offline copy of a rendition.
package struct CopyOnDevice: Sendable, Hashable {
    package var device: OpaqueID
    /// What its owner calls the device.
    package var deviceName: String
    package var rendition: String
    package var state: CopyDownloadState
    package var changedAt: WallClockTime
}

extension Collection<CopyOnDevice> {
    /// What the device that has most has; `none` without any.
    package var state: CopyDownloadState {
        contains { $0.state == .downloaded } ? .downloaded : isEmpty ? .none : .partial
    }
}
