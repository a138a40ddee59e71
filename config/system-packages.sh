#!/bin/sh
# Gets the programs that are named and missing, and prints nothing where all of them are there:
#
#   redis       a Redis or Valkey server for the gateway
#   chromium    any Chromium or Chrome for the tests of the console
#   prometheus  prometheus, promtool and amtool for the long tests
#   cc          a C compiler for the tests that run on another date
#
# Stops with the one line to run where it cannot get them. `where NAME` gets nothing: it prints the
# paths of what it finds.
set -eu

home="${HOME:-}"
cache="$(cd "$(dirname "$0")/.." && pwd)/node_modules/.cache"
# The newest one in an npm package that holds its program: no root and no other server is needed.
chromium_package="@sparticuz/chromium@153.0.0"

has() {
  command -v "$1" >/dev/null 2>&1
}

find_redis() {
  if [ -n "${REDIS_URL:-}${REDIS_URL_FILE:-}" ]; then return 0; fi
  # The gateway itself refuses what is too old (src/store/server/redis-binary.ts).
  command -v "${REDIS_SERVER_BIN:-redis-server}" || command -v valkey-server || command -v redis-check-rdb
}

find_chromium() {
  if [ -n "${CHROMIUM_BIN:-}" ]; then
    is_chromium "$CHROMIUM_BIN" || stop "CHROMIUM_BIN names $CHROMIUM_BIN, which is no Chromium that runs here."
    echo "$CHROMIUM_BIN"
    return 0
  fi
  # The first two have no desktop program: they do the same at a third of the cost.
  for name in chromium-headless-shell chrome-headless-shell chromium chromium-browser \
    google-chrome-stable google-chrome chrome; do
    file=$(command -v "$name") && is_chromium "$file" && echo "$file" && return 0
  done
  # Playwright's own are below the folder of their version.
  for file in \
    "${PLAYWRIGHT_BROWSERS_PATH:-$home/.cache/ms-playwright}"/chromium*/chrom*/chrome-headless-shell \
    "${PLAYWRIGHT_BROWSERS_PATH:-$home/.cache/ms-playwright}"/chromium*/chrom*/chrome \
    "$home/Library/Caches/ms-playwright"/chromium*/chrom*/chrome-headless-shell \
    "$home/Library/Caches/ms-playwright"/chromium*/chrom*/*.app/Contents/MacOS/* \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
    "/Applications/Chromium.app/Contents/MacOS/Chromium" \
    "$home/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
    "$home/Applications/Chromium.app/Contents/MacOS/Chromium" \
    "$cache/chromium/chromium"; do
    is_chromium "$file" && echo "$file" && return 0
  done
  return 1
}

# A snap's cannot read the tests' folders, and Ubuntu's chromium-browser only starts the snap's.
is_chromium() {
  case "$1" in */snap/*) return 1 ;; esac
  [ -x "$1" ] && [ ! -d "$1" ] && ! head -c 4096 "$1" | grep -q /snap/bin &&
    "$1" --version 2>/dev/null | grep -q Chrom
}

find_prometheus() {
  for program in prometheus promtool amtool; do
    command -v "$program" || command -v "$cache/prometheus/usr/bin/$program" || return 1
  done
}

find_cc() {
  command -v cc
}

get_redis() {
  if has apt-get && become_root; then
    echo "Installing Debian's package redis-tools (the Redis server program, no service)" >&2
    apt_install redis-tools
  fi
}

get_chromium() {
  if has apt-get && become_root; then
    $as_root apt-get update -qq || return 1
    if apt-cache show chromium-headless-shell >/dev/null 2>&1; then
      echo "Installing Debian's package chromium-headless-shell for the tests" >&2
      apt_install chromium-headless-shell
      return
    fi
  fi
  [ "$(uname -s) $(uname -m)" = "Linux x86_64" ] || return 0
  echo "Unpacking npm's package $chromium_package for the tests (nothing is installed)" >&2
  rm -rf "$cache/chromium" "$cache/chromium.part"
  mkdir -p "$cache/chromium.part"
  (cd "$cache/chromium.part" && unpack_chromium) && mv "$cache/chromium.part" "$cache/chromium"
}

unpack_chromium() {
  npm pack --loglevel error "$chromium_package" >/dev/null &&
    tar -xzf ./*.tgz &&
    unbrotli package/bin/chromium.br >headless-shell &&
    unbrotli package/bin/al2023.tar.br | tar -x &&
    unbrotli package/bin/fonts.tar.br | tar -x &&
    rm -r package ./*.tgz &&
    cat >fonts.conf <<'END' && cat >chromium <<'END2' && chmod +x headless-shell chromium
<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
END
#!/bin/sh
# Its own libraries, and its own fonts where the machine has none.
here=$(dirname "$0")
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/headless-shell" "$@"
END2
}

unbrotli() {
  node -e 'fs.createReadStream(process.argv[1]).pipe(zlib.createBrotliDecompress()).pipe(process.stdout)' "$1"
}

# The packages are not installed: they would start services.
get_prometheus() {
  has apt-get || return 0
  echo "Unpacking Debian's packages prometheus and prometheus-alertmanager for the tests (nothing is installed)" >&2
  mkdir -p "$cache/prometheus"
  (cd "$cache/prometheus" && unpack_debian prometheus prometheus-alertmanager)
}

get_cc() {
  if has apt-get && become_root; then
    echo "Installing Debian's packages gcc and libc6-dev for the tests" >&2
    apt_install "gcc libc6-dev"
  fi
}

unpack_debian() {
  # The lists of packages may be old or missing, and only root can fetch them.
  apt-get download -qq "$@" >/dev/null 2>&1 ||
    { become_root && $as_root apt-get update -qq && apt-get download -qq "$@" >&2; } || return 1
  for package in ./*.deb; do dpkg-deb -x "$package" . || return 1; done
  rm -f ./*.deb
}

apt_install() {
  $as_root apt-get update -qq &&
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $1 >/dev/null
}

# Sets `as_root` to what runs a command as root; fails where nothing does.
become_root() {
  if [ "$(id -u)" = 0 ]; then
    as_root=""
  elif has sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root="sudo"
  else
    return 1
  fi
}

# Prints the line that gets a program on this system. Playwright's own Chromium runs on most.
line_for() {
  for manager in apt-get dnf pacman apk brew none; do
    if has "$manager"; then break; fi
  done
  case "$1 $manager" in
    "redis apt-get") as_system "apt-get update && apt-get install -y --no-install-recommends redis-tools" ;;
    "redis dnf") as_system "dnf install -y valkey" ;;
    "redis pacman") as_system "pacman -S --noconfirm valkey" ;;
    "redis apk") as_system "apk add redis" ;;
    "redis brew") echo "brew install redis" ;;
    "redis none") echo "REDIS_URL=redis://… npm start    # with a Redis of version 6.2 or newer" ;;
    "chromium dnf") as_system "dnf install -y chromium-headless" ;;
    "chromium pacman") as_system "pacman -S --noconfirm chromium" ;;
    "chromium apk") as_system "apk add chromium" ;;
    "chromium apt-get") echo "npx playwright-core install --with-deps --only-shell chromium" ;;
    chromium*) echo "npx playwright-core install --only-shell chromium" ;;
    "prometheus apt-get") as_system "apt-get update" ;;
    "prometheus pacman") as_system "pacman -S --noconfirm prometheus alertmanager" ;;
    "prometheus brew") echo "brew install prometheus alertmanager" ;;
    "cc apt-get") as_system "apt-get update && apt-get install -y gcc libc6-dev" ;;
    "cc dnf") as_system "dnf install -y gcc" ;;
    "cc pacman") as_system "pacman -S --noconfirm gcc" ;;
    "cc apk") as_system "apk add gcc musl-dev" ;;
    cc*) echo "xcode-select --install" ;;
    prometheus*) echo 'export PATH="$PATH:FOLDER"    # with what prometheus.io/download offers' ;;
  esac
}

as_system() {
  if [ "$(id -u)" = 0 ]; then echo "$1"; elif has sudo; then echo "sudo sh -c '$1'"; else echo "su -c '$1'"; fi
}

stop() {
  echo "$1" >&2
  exit 1
}

stop_without() {
  stop "No $1 was found on this machine. Run this once, then try again:
  $(line_for "$1")"
}

if [ "${1:-}" = where ]; then
  "find_$2" || stop_without "$2"
  exit 0
fi

for wanted in "$@"; do
  # A search also shows whether what was got runs here.
  "find_$wanted" >/dev/null || { "get_$wanted" && "find_$wanted" >/dev/null; } || stop_without "$wanted"
done
