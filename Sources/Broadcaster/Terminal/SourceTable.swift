package import Capture

/// A human-readable table of capture devices.
package enum SourceTable {
    /// Renders the table.
    package static func text(_ listing: CaptureDeviceListing) -> String {
        [
            section("Cameras", flag: "--camera", listing.cameras),
            section("Microphones", flag: "--microphone", listing.microphones),
            section("Screens", flag: "--screen", listing.screens),
        ].joined(separator: "\n\n")
            + "\n\nAlways available: --test-card, --file PATH, --standard-input"
    }

    private static func section(_ title: String, flag: String, _ entries: [CaptureDeviceListing.Entry]) -> String {
        guard !entries.isEmpty else { return "\(title): none" }
        let rows = entries.map { entry in
            "  \(flag) \(entry.device.name)  \(entry.title)\(entry.isDefault ? " (default)" : "")"
        }
        return ([title + ":"] + rows).joined(separator: "\n")
    }
}
