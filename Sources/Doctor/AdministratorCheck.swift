/// Checks that a server with `--public` has an administrator, without whom it does not start.
struct AdministratorCheck: DoctorCheck {
    let name = "administrator"
    /// Whether there is an active administrator; `nil` if the database cannot be read.
    let exists: Bool?

    var finding: DoctorFinding {
        switch exists {
        case true?: .ok("there is an administrator account")
        case false?:
            .problem(
                "there is no administrator account; a server with --public does not start without one",
                remedy:
                    "start it once without --public, and run: antena user add NAME --role administrator, or open the set-up link in its log"
            )
        case nil:
            .warning(
                "the database cannot be read, so the check for an administrator was skipped",
                remedy: "fix the problem that the database check reports")
        }
    }

    init(_ state: DatabaseState) {
        exists =
            switch state {
            case .missing: false
            case .ready(_, _, _, let hasAdministrator): hasAdministrator
            case .failed: nil
            }
    }

    init(exists: Bool?) { self.exists = exists }
}
