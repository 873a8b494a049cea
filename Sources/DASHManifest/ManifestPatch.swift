import MediaCore

/// The difference between two manifests of one presentation (MPD patch, ISO/IEC 23009-1:2022 §5.15, with the operations
/// of RFC 5261). A player that has the older one gets the newer one with it, without the hours that both list.
package enum ManifestPatch {
    package static let mediaType = "application/dash-patch+xml"

    /// The text of the patch.
    ///
    /// - Parameters:
    ///   - old: the manifest that a player has.
    ///   - new: a manifest of the same presentation that was made later.
    /// - Returns: `nil` if there is no patch: the manifests are not of one presentation.
    package static func text(
        from old: MediaPresentationDescription, to new: MediaPresentationDescription
    ) -> String? {
        guard case .live(let before) = old.kind, case .live(let after) = new.kind,
            before.availabilityStart == after.availabilityStart,
            let oldRoot = ManifestElement(document: old.rendered()),
            let newRoot = ManifestElement(document: new.rendered())
        else { return nil }
        var writer = XMLWriter()
        writer.element(
            "Patch",
            [
                .init("xmlns", "urn:mpeg:dash:schema:mpd-patch:2020"), .init("mpdId", before.id),
                .init("originalPublishTime", date: before.publishedAt), .init("publishTime", date: after.publishedAt),
            ]
        ) { writer in
            var difference = ManifestDifference(writer: writer)
            difference.write(from: oldRoot, to: newRoot, at: "/\(newRoot.name)")
            // A patch has at least one operation.
            if before.publishedAt == after.publishedAt { difference.confirmPublishTime(of: newRoot) }
            writer = difference.writer
        }
        return writer.text
    }
}
