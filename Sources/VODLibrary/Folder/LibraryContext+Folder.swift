extension LibraryContext {
    /// A section's folder, with its files in the media store.
    func folder(_ section: LibrarySection) -> MediaFolder {
        MediaFolder(section: section, configuration: configuration, stored: files.stored)
    }
}
