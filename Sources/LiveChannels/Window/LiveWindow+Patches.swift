import DASHManifest
import MediaCore

/// Patches of manifests: a player that goes back for hours in a channel gets them once.
extension LiveWindow {
    /// The name of the parameter of a patch's address with the time of publication of the player's manifest, in
    /// milliseconds since 1970.
    package static let publishTimeParameter = "publishTime"
    /// The last component of the address of patches.
    package static let patchFileName = "\(manifestName).mpp"
    /// A manifest of less time is as small as a patch.
    static let leastPatchedTime = Duration.seconds(120)

    /// The place of patches to a manifest; `nil` if it is short.
    ///
    /// - Parameters:
    ///   - form: the form of the manifest.
    ///   - depth: the time that the manifest lists, in seconds; `nil` if it has ended.
    ///   - now: the time of publication.
    func patchLocation(_ form: LivePlaylistForm, depth: Double?, now: WallClockTime) -> PatchLocation? {
        guard let depth, depth >= Double(Self.leastPatchedTime.components.seconds) else { return nil }
        let query = "\(Self.publishTimeParameter)=\(now.millisecondsSince1970)"
        return PatchLocation(
            address: "\(Self.patchFileName)?\(form == .wholeSegments ? "ll=0&" : "")\(query)",
            lifetime: Double(ManifestHistory.lifetime.components.seconds))
    }
}
