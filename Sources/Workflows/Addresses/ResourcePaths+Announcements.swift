extension ResourcePaths {
    /// The page on which operators write announcements.
    package static let announcements = "/operator/anuncios"
    /// Where a form goes that dismisses an announcement.
    package static let announcementDismissal = "/anuncios/ocultar"
}
