import MediaCore

/// The sources of the details of a title or track, in the order of precedence.
package struct DetailLayers: Sendable, Hashable {
    /// The operator's choices.
    package var chosen: ItemDetails
    /// The details in the notes beside the file (`.nfo`).
    package var noted: ItemDetails
    /// The details from the file's own tags, its name and its folders.
    package var file: ItemDetails

    package init(chosen: ItemDetails = ItemDetails(), noted: ItemDetails = ItemDetails(), file: ItemDetails) {
        (self.chosen, self.noted, self.file) = (chosen, noted, file)
    }

    /// The details that people see.
    package var effective: ItemDetails { chosen.over(noted).over(file) }

    /// The source of a field's value; `nil` if it has none.
    package func source(of field: DetailField) -> DetailSource? {
        if chosen[field] != nil { return .operator }
        if noted[field] != nil { return .notes }
        return file[field] == nil ? nil : .file
    }

    /// A short text that changes with every change of a layer.
    package var version: String {
        var digest = ShortDigest()
        for layer in [chosen, noted, file] {
            digest.add(layer.stored.utf8)
            digest.add(CollectionOfOne(0xFF))
        }
        return digest.text
    }
}
