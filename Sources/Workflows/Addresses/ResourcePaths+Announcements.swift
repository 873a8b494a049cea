extension ResourcePaths {
    /// The page on which operators write announcements.
    package static let announcements = "/operator/anuncios"
    /// The target of the form that dismisses an announcement.
    package static let announcementDismissal = "/anuncios/ocultar"
}
