const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["client-ProfilePage-257381a7.js","client-libraries-df66e8dc.js","client-PageHead-f903e715.js","client-PersonRow-564647ee.js","client-LiveList-3b3bbbec.js","client-PeopleList-c20bd35a.js","client-SearchPage-c13ea1a8.js","client-LivePage-84ab1b02.js","client-SettingsPage-d0da2262.js"])))=>i.map(i=>d[i]);
import{a as e,i as t,n,r,t as i}from"./client-libraries-df66e8dc.js";import{A as a,B as o,D as s,E as c,F as l,G as u,H as d,I as f,J as p,K as m,L as h,M as g,N as _,O as v,Q as y,R as b,S as x,T as S,U as C,V as w,W as T,X as ee,Y as E,Z as D,_ as O,a as k,b as te,c as ne,d as A,g as re,i as j,j as ie,k as ae,l as oe,m as M,o as se,p as N,q as ce,r as le,s as P,t as F,u as I,v as ue,w as L,x as de,y as fe}from"./client-PageHead-f903e715.js";var R=e(),pe=t(),z=n(),B=r(),me=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:[{kind:`Literal`,name:`first`,value:0}],concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:[{kind:`Variable`,name:`since`,variableName:`since`}],kind:`ScalarField`,name:`newCount`,storageKey:null}],storageKey:`homeFeed(first:0)`}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`newsCountQuery`,selections:t,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`newsCountQuery`,selections:t},params:{cacheID:`0954bfc113187bf34c3c449b98d24d4d`,id:null,metadata:{},name:`newsCountQuery`,operationKind:`query`,text:`query newsCountQuery(
  $since: String!
) {
  viewer {
    homeFeed(first: 0) {
      newCount(since: $since)
    }
  }
}
`}}})();me.hash=`a42fbd497a2b580fcae75f7fa785b0ca`;var he=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null};return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`newsHomeFeedSubscription`,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`homeFeedEdges`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,n,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,i],storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null}],type:`Subscription`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`newsHomeFeedSubscription`,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`homeFeedEdges`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,n,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,i,t,a,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[t,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[a,i,t],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[t,o,s,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,a,i,t],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],storageKey:null}],storageKey:null}]},params:{cacheID:`773895801eef3fa4f3ba64057a795174`,id:null,metadata:{},name:`newsHomeFeedSubscription`,operationKind:`subscription`,text:`subscription newsHomeFeedSubscription {
  homeFeedEdges {
    cursor
    node {
      id
      databaseId
      publishedAt
      author {
        databaseId
        name
        id
      }
      ...PostCard_post
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();he.hash=`80bff645903e39c35555cd0294d3b982`;function V(e,t=Math.random()){let n=Math.min(3e4,500*2**Math.min(e,10));return n/2+n/2*t}function ge(e,t){if(e.publishedAt!==t.publishedAt)return e.publishedAt>t.publishedAt?-1:1;let[n,r]=[e.databaseId,t.databaseId];return n.length===r.length?n===r?0:n>r?-1:1:n.length>r.length?-1:1}function _e(e,t,n){if(t.some(t=>t.id===e.id))return`shown`;let r=t.findIndex(e=>e.cursor!==null&&e.cursor===n),i=t[Math.max(r,0)];if(!i||ge(e,i)<0)return`above`;let a=t.slice(Math.max(r,0)).find(t=>t.cursor!==null&&ge(e,t)<0);return a?.cursor?{before:a.cursor}:`below`}function ve(e,t){return Math.max(e,t)}function ye(e){return e>=100?`100+ new posts`:e===1?`1 new post`:`${e} new posts`}var be={posts:[],counted:0},xe=1e3,Se=class{environment;socket;state=D(be);#e=null;#t=null;#n=new Set;#r=0;constructor(e,t){this.environment=e,this.socket=t}start(){return this.socket.onOpen=()=>this.#s(xe,()=>void this.count()),this.#i(),()=>{this.#t?.dispose(),this.#t=null;for(let e of this.#n)clearTimeout(e);this.socket.close()}}setTop(e){e!==this.#e&&(this.#e=e,this.state.set({...this.state.get(),counted:0}))}announced(){return this.state.get().posts.map(e=>e.id)}read(e){this.settle(new Set(e)),this.state.set({...this.state.get(),counted:0})}settle(e){let{posts:t,counted:n}=this.state.get();this.state.set({posts:t.filter(t=>!e.has(t.id)),counted:n})}async count(){let e=this.#e;if(e===null)return;let t=(await(0,B.fetchQuery)(this.environment,me,{since:e},{fetchPolicy:`network-only`}).toPromise().catch(()=>null))?.viewer?.homeFeed.newCount;t!==void 0&&e===this.#e&&this.state.set({...this.state.get(),counted:t})}#i(){this.#t=(0,B.requestSubscription)(this.environment,{subscription:he,variables:{},onNext:e=>e&&this.#a({...e.homeFeedEdges.node,cursor:e.homeFeedEdges.cursor}),onError:()=>this.#o(),onCompleted:()=>this.#o()})}#a(e){this.#r=0;let{posts:t,counted:n}=this.state.get();t.some(t=>t.id===e.id)||this.state.set({posts:[...t,e].slice(-100),counted:t.length<100?n&&Math.min(n+1,100):100})}#o(){this.#s(V(this.#r++),()=>{this.#t?.dispose(),this.#i(),this.#s(xe,()=>void this.count())})}#s(e,t){let n=setTimeout(()=>{this.#n.delete(n),t()},e);this.#n.add(n)}},Ce=2,we=e=>new Promise(t=>setTimeout(t,e));function Te(e,t,n,r){let i=async(n,i)=>{let a=t.status.get().limitedUntil-Date.now();if(a>0)throw new f(`RATE_LIMITED`,`the server asked for a pause`,null,Math.ceil(a/1e3));let o=t.asked(),s=await De(e,{query:n.text,variables:i}).catch(()=>null);if(!s)throw t.lost(),new f(`UNREACHABLE`,`the server does not answer`);o();let c=await s.json().catch(()=>null),l=b(s.status,c,e=>s.headers.get(e))??Ee(c,r);if(!l)return c;throw l.code===`RATE_LIMITED`&&t.limited(l.retryAfter),l.code===`UNAUTHENTICATED`&&r.signedOut(),l};return B.Network.create(async(e,t)=>{for(let n=0;;n++)try{return await i(e,t)}catch(t){if(!(e.operationKind===`query`&&t instanceof f&&t.code===`UNAVAILABLE`)||n===Ce)throw t;await we(Math.max(V(n),t.retryAfter*1e3))}},(e,t)=>B.Observable.create(i=>n.subscribe({query:e.text??``,variables:t},{next:i.next,complete:i.complete,error(e){e instanceof f&&e.code===`UNAUTHENTICATED`&&r.signedOut(),i.error(e)}})))}function Ee(e,t){let n=e.data;return!t.known||n?.viewer!==null?null:new f(`UNAUTHENTICATED`,`the session is over`)}function De(e,t){return fetch(e,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json, application/json;q=0.5`},body:JSON.stringify(t)})}var Oe=20;function ke(e,t,n){return new B.Environment({network:Te(`/graphql`,e,t,n),store:new B.Store(new B.RecordSource,{gcReleaseBufferSize:Oe})})}var Ae=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),je=function(e){return`/assets/`+e},Me={},Ne=function(e){return e.pathname.endsWith(`.css`)},Pe=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},H=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=je(t,n);let r=s(t),i=Ne(r);return Pe(Me,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:Ae,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},Fe=class{endpoint;onOpen=()=>void 0;#e=null;#t=0;constructor(e){this.endpoint=e}subscribe(e,t){let n=!1,r=()=>void 0;return this.#n().then(i=>{n||(r=i.subscribe(e,Ie(t)))},e=>t.error(e)),()=>{n=!0,r()}}close(){this.#e?.then(e=>e.dispose())}#n(){return this.#e??=H(async()=>{let{createClient:e}=await import(`./client-dist-22dc98f1.js`);return{createClient:e}},[]).then(({createClient:e})=>e({url:new URL(this.endpoint,location.href.replace(/^http/,`ws`)).href,keepAlive:2e4,retryAttempts:1/0,shouldRetry:()=>!0,retryWait:()=>new Promise(e=>setTimeout(e,V(this.#t++))),onNonLazyError:()=>void 0,on:{connected:()=>{this.#t=0,this.onOpen()}}})),this.#e}};function Ie(e){return{next(t){let n=t.errors?.[0];n?e.error(new f(String(n.extensions?.code??`INTERNAL`),n.message)):e.next(t)},error:()=>e.error(new f(`UNAVAILABLE`,`the subscription has ended`)),complete:()=>e.complete()}}var Le=(function(){var e=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`DeskProviderQuery`,selections:e,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`DeskProviderQuery`,selections:e},params:{cacheID:`8fb00b43f0cae9ad702976b68b983e5f`,id:null,metadata:{},name:`DeskProviderQuery`,operationKind:`query`,text:`query DeskProviderQuery {
  viewer {
    user {
      id
      databaseId
      handle
      name
    }
  }
}
`}}})();Le.hash=`e442c5ea5fac26821581523baf9c1f37`;var U=i();function W({title:e,onClose:t,children:n}){let r=(0,R.useRef)(null),i=(0,R.useId)();return(0,R.useLayoutEffect)(()=>{let e=r.current;return e?.showModal(),()=>e?.close()},[]),(0,U.jsx)(`dialog`,{ref:r,className:`dialog`,"aria-labelledby":i,onClose:t,onClick:e=>e.target===r.current&&t(),children:(0,U.jsxs)(`div`,{className:`dialog-body`,children:[(0,U.jsxs)(`header`,{className:`dialog-head`,children:[(0,U.jsx)(`h2`,{id:i,children:e}),(0,U.jsx)(`button`,{type:`button`,className:`icon-button`,"aria-label":`Close`,onClick:t,children:(0,U.jsx)(E,{name:`close`})})]}),n]})})}function Re(e){return(0,U.jsxs)(W,{title:e.title,onClose:e.onClose,children:[(0,U.jsx)(`p`,{children:e.text}),(0,U.jsxs)(`div`,{className:`dialog-foot`,children:[(0,U.jsx)(`button`,{type:`button`,className:`button`,onClick:e.onClose,children:`Keep it`}),(0,U.jsx)(`button`,{type:`button`,className:`button button-danger`,onClick:()=>{e.onClose(),e.onYes()},children:e.yes})]})]})}var ze=`tideline-draft `,Be=new Set;function Ve(e,{replyTo:t,repostOf:n}){return`${ze}${e} ${t?`reply ${t}`:n?`repost ${n}`:`post`}`}function G(e){let t=sessionStorage.getItem(e);return t?JSON.parse(t):{text:``}}function K(e,t){t.text||t.sent?sessionStorage.setItem(e,JSON.stringify(t)):sessionStorage.removeItem(e);for(let e of[...Be])e()}function He(e){return[(0,R.useSyncExternalStore)(Ue,()=>G(e).text),(0,R.useCallback)(t=>K(e,{...G(e),text:t}),[e])]}function Ue(e){return Be.add(e),()=>Be.delete(e)}function We(e,t,n){let{sent:r}=G(e),i=r?.text===t?r.key:n();return K(e,{text:``,sent:{text:t,key:i}}),i}function Ge(e,t){let n=G(e);K(e,{...n,text:n.text||t})}function Ke(e,t){let n=G(e);K(e,{text:n.text===t?``:n.text})}function qe(){for(let e of Object.keys(sessionStorage))e.startsWith(ze)&&sessionStorage.removeItem(e)}var Je=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{kind:`Variable`,name:`input`,variableName:`input`}],n={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null},i],storageKey:null}],type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],storageKey:null}],storageKey:null},i],storageKey:null}]},params:{cacheID:`dd42d8db0226a61bceabc188dd86bbca`,id:null,metadata:{},name:`publishMutation`,operationKind:`mutation`,text:`mutation publishMutation(
  $input: PublishPostInput!
) {
  publishPost(input: $input) {
    feedEdge {
      cursor
      node {
        id
        ...PostCard_post
      }
    }
    userErrors {
      code
      message
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();Je.hash=`233b0928672ca761592dd224964a63c7`;var Ye=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`likePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsLikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsLikeMutation`,selections:t},params:{cacheID:`5f5c16897aa502258d9192176fa5470e`,id:null,metadata:{},name:`PostMutationsLikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsLikeMutation(
  $input: PostIdInput!
) {
  payload: likePost(input: $input) {
    post {
      id
      viewerHasLiked
      counters {
        likes
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Ye.hash=`dc5beafaa3a494073eed664b4213b5bb`;var Xe=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unlikePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnlikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnlikeMutation`,selections:t},params:{cacheID:`a451dbb9d5cac0527fe1a56f120c37ed`,id:null,metadata:{},name:`PostMutationsUnlikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnlikeMutation(
  $input: PostIdInput!
) {
  payload: unlikePost(input: $input) {
    post {
      id
      viewerHasLiked
      counters {
        likes
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Xe.hash=`4acf0800e979777a9d20699309ed48bf`;var Ze=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`favoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsFavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsFavoriteMutation`,selections:t},params:{cacheID:`cf604bd18f55b96dd44381b269b047b1`,id:null,metadata:{},name:`PostMutationsFavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsFavoriteMutation(
  $input: PostIdInput!
) {
  payload: favoritePost(input: $input) {
    post {
      id
      viewerHasFavorited
      counters {
        favorites
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Ze.hash=`070dafa5c59f9ca7ef1744a7e0dc4ca6`;var Qe=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unfavoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnfavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnfavoriteMutation`,selections:t},params:{cacheID:`c7aac1c2d4db3acc4a72d6baca54d838`,id:null,metadata:{},name:`PostMutationsUnfavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnfavoriteMutation(
  $input: PostIdInput!
) {
  payload: unfavoritePost(input: $input) {
    post {
      id
      viewerHasFavorited
      counters {
        favorites
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Qe.hash=`79b49cf83f57b17e19a1f90a4a940357`;var $e=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`EditPostPayload`,kind:`LinkedField`,name:`editPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsEditMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsEditMutation`,selections:t},params:{cacheID:`973476de504462afe3e18d27c943e77e`,id:null,metadata:{},name:`PostMutationsEditMutation`,operationKind:`mutation`,text:`mutation PostMutationsEditMutation(
  $input: EditPostInput!
) {
  editPost(input: $input) {
    post {
      id
      text
      editedAt
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();$e.hash=`e41a65eaca77822e4fc92c92b519c950`;var et=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`DeletePostPayload`,kind:`LinkedField`,name:`deletePost`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`deletedPostId`,storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsDeleteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsDeleteMutation`,selections:t},params:{cacheID:`850bb52c5c5cf07c4e6fce9ad4d87db2`,id:null,metadata:{},name:`PostMutationsDeleteMutation`,operationKind:`mutation`,text:`mutation PostMutationsDeleteMutation(
  $input: PostIdInput!
) {
  deletePost(input: $input) {
    deletedPostId
    userErrors {
      code
      message
    }
  }
}
`}}})();et.hash=`6fb8a99b0ebfdf8dd05ff0326a094bbc`;var tt=Ye,nt=Xe;function rt({id:e,viewerHasLiked:t,counters:n}){let r=!t,i={id:e,viewerHasLiked:r,counters:{likes:n.likes+(r?1:-1)}};return{mutation:r?tt:nt,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}var it=Ze,at=Qe;function ot({id:e,viewerHasFavorited:t,counters:n}){let r=!t,i={id:e,viewerHasFavorited:r,counters:{favorites:n.favorites+(r?1:-1)}};return{mutation:r?it:at,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}function st(e,t,n){return{mutation:$e,variables:{input:{postId:e,text:t}},optimisticResponse:{editPost:{post:{id:e,text:t,editedAt:n},userErrors:[]}}}}function ct(e){let t=t=>{t.delete(e.id),e.replyTo&&q(t,e.replyTo,`comments`,-1),e.repostOf&&q(t,e.repostOf,`reposts`,-1)};return{mutation:et,variables:{input:{postId:e.id}},optimisticUpdater:t,updater:t}}function q(e,t,n,r){let i=e.get(t)?.getLinkedRecord(`counters`),a=i?.getValue(n);typeof a==`number`&&i?.setValue(Math.max(0,a+r),n)}var lt=`HomeTimeline_homeFeed`;function ut(e){let t=e.get(B.ROOT_ID)?.getLinkedRecord(`viewer`);return t?B.ConnectionHandler.getConnection(t,lt):void 0}var dt=Je;function ft(e,t,n){return{mutation:dt,variables:{input:{...e,idempotencyKey:t}},optimisticUpdater:r=>{let i=n?r.get(n):null;i&&ht(r,mt(r,e,t,i),null,e,i)},updater:t=>{let r=t.getRootField(`publishPost`)?.getLinkedRecord(`feedEdge`),i=r?.getLinkedRecord(`node`),a=r?.getValue(`cursor`);i&&ht(t,i,typeof a==`string`?a:null,e,n?t.get(n)??null:null)}}}var pt=e=>e.startsWith(`pending:`);function mt(e,t,n,r){let i=e.create(`pending:${n}`,`Post`),a=e.create(`pending:${n}:counters`,`PostCounters`);for(let e of[`likes`,`comments`,`reposts`,`favorites`])a.setValue(0,e);let o={id:`pending:${n}`,databaseId:`0`,kind:gt(t),text:t.text,media:[],publishedAt:new Date().toISOString(),editedAt:null,viewerHasLiked:!1,viewerHasFavorited:!1};for(let[e,t]of Object.entries(o))i.setValue(t,e);i.setLinkedRecord(r,`author`),i.setLinkedRecord(a,`counters`);for(let n of[`replyTo`,`repostOf`]){let r=t[n]?e.get(t[n]):null;r?i.setLinkedRecord(r,n):i.setValue(null,n)}return i}function ht(e,t,n,r,i){let a=r.replyTo?e.get(r.replyTo):null,o=[ut(e),i&&B.ConnectionHandler.getConnection(i,`ProfilePosts_posts`),a&&B.ConnectionHandler.getConnection(a,`PostComments_comments`)];for(let r of o){if(!r)continue;let i=B.ConnectionHandler.createEdge(e,r,t,`FeedEdge`);i.setValue(r===o[0]?n:null,`cursor`),B.ConnectionHandler.insertEdgeBefore(r,i)}r.replyTo&&q(e,r.replyTo,`comments`,1),r.repostOf&&q(e,r.repostOf,`reposts`,1)}function gt(e){return e.replyTo?`COMMENT`:e.repostOf?`REPOST`:`POST`}function _t(){return[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,`0`)).join(``)}var vt=5e3,yt=200;function bt({label:e,value:t,placeholder:n,autoFocus:r=!1,onChange:i,onSend:a}){let o=(0,R.useRef)(null),s=(0,R.useId)();(0,R.useEffect)(()=>{let e=o.current;e&&(e.style.height=`auto`,e.style.height=`${e.scrollHeight}px`)},[t]),(0,R.useEffect)(()=>{let e=o.current;r&&e&&(e.focus(),e.setSelectionRange(e.value.length,e.value.length))},[r]);let c=vt-O(t);return(0,U.jsxs)(`div`,{className:`text-field`,children:[(0,U.jsx)(`textarea`,{ref:o,rows:1,"aria-label":e,"aria-describedby":s,"aria-invalid":c<0,placeholder:n,value:t,onChange:e=>i(e.target.value),onKeyDown:e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&(e.preventDefault(),a())}}),(0,U.jsx)(`span`,{id:s,className:c<0?`left left-over`:`left`,role:`status`,children:c<0?`${-c} too many`:c<=yt?`${c} left`:``})]})}function xt({draft:e,autoFocus:t=!1,onSent:n}){let{session:r}=L(),i=Ve(r.user?.id??``,e),[a,o]=He(i),{account:s}=u(),c=N(),l=O(a)<=5e3&&(a.trim()!==``||e.repostOf!==void 0),d=St(e),f=async()=>{if(!l)return;let t=We(i,a,_t),{about:r,...o}=e;n?.(),await c(ft({...o,text:a},t,s?.id??null),`Not published`,()=>Ke(i,a))||Ge(i,a)};return(0,U.jsxs)(`form`,{className:`composer`,"aria-label":d.label,onSubmit:e=>{e.preventDefault(),f()},children:[s?(0,U.jsx)(M,{user:s}):(0,U.jsx)(`span`,{className:`avatar`}),(0,U.jsxs)(`div`,{className:`composer-main`,children:[e.about&&(0,U.jsxs)(`blockquote`,{className:`quoted`,children:[(0,U.jsxs)(`p`,{className:`post-by`,children:[(0,U.jsx)(`strong`,{children:e.about.name}),` `,(0,U.jsxs)(`span`,{className:`post-handle`,children:[`@`,e.about.handle]})]}),(0,U.jsx)(`p`,{className:`post-text composer-about`,children:e.about.text})]}),(0,U.jsx)(bt,{label:d.label,placeholder:d.placeholder,value:a,onChange:o,onSend:()=>void f(),autoFocus:t}),(0,U.jsxs)(`div`,{className:`composer-foot`,children:[(0,U.jsx)(`small`,{className:`composer-hint`,children:`Ctrl + Enter sends`}),(0,U.jsx)(`button`,{type:`submit`,className:`button button-primary`,"aria-disabled":!l,children:d.button})]})]})]})}function St(e){return e.replyTo?{label:`Your reply`,placeholder:`Write a reply`,button:`Reply`}:e.repostOf?{label:`Your words on it`,placeholder:`Say something about it`,button:`Repost`}:{label:`New post`,placeholder:`What washed up today?`,button:`Post`}}function Ct(){let{session:e,expired:t,change:n}=L(),[r,i]=(0,R.useState)(``),[a,o]=(0,R.useState)(!1),s=te(location.search,location.href),c=async e=>{if(!a){o(!0),i(``);try{let t=await x(e);s&&t.admin?location.assign(s):n(t)}catch(e){i(wt(e)),o(!1)}}};return(0,U.jsxs)(`section`,{className:`sign-in`,"aria-labelledby":`sign-in-title`,"aria-busy":a,children:[(0,U.jsx)(`h2`,{id:`sign-in-title`,children:`Sign in`}),t&&(0,U.jsx)(`p`,{className:`note`,role:`status`,children:`Your sign-in has expired. What you were writing is kept for when you are back.`}),s&&(0,U.jsx)(`p`,{className:`note`,role:`status`,children:Tt(new URL(s,location.href).pathname,e)}),r&&(0,U.jsx)(`p`,{className:`note note-bad`,role:`alert`,children:r}),e.demoUsers.length>0&&(0,U.jsx)(Et,{users:e.demoUsers,onChoose:e=>void c({demoUserId:e})}),(0,U.jsx)(Dt,{onToken:e=>void c({token:e})})]})}function wt(e){if(e instanceof f&&e.code!==`UNREACHABLE`)return`That did not work: ${o(e.message)}`;let{title:t,help:n}=h(e);return`That did not work: ${t.toLowerCase()}. ${n}`}function Tt(e,{user:t}){return t?`${e} is for administrators, and @${t.handle} is none. Sign in with the token of one.`:`${e} is for administrators: sign in as one to open it.`}function Et({users:e,onChoose:t}){return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`h3`,{id:`demo-title`,children:`As a demo user`}),(0,U.jsx)(`p`,{className:`hint`,children:`On this machine only, and without a password.`}),(0,U.jsx)(`ul`,{className:`demo-users`,"aria-labelledby":`demo-title`,children:e.map(e=>(0,U.jsx)(`li`,{children:(0,U.jsxs)(`button`,{type:`button`,className:`demo-user`,onClick:()=>t(e.id),children:[(0,U.jsx)(M,{user:{databaseId:e.id,name:e.name||e.handle}}),(0,U.jsxs)(`span`,{className:`person-words`,children:[(0,U.jsx)(`strong`,{children:e.name||e.handle}),` `,(0,U.jsxs)(`span`,{children:[`@`,e.handle]})]})]})},e.id))})]})}function Dt({onToken:e}){let t=(0,R.useRef)(null);return(0,U.jsxs)(`form`,{className:`token-form`,onSubmit:n=>{n.preventDefault();let r=t.current?.value.trim();r&&e(r)},children:[(0,U.jsx)(`h3`,{children:(0,U.jsx)(`label`,{htmlFor:`token`,children:`With a token`})}),(0,U.jsxs)(`p`,{className:`hint`,id:`token-hint`,children:[`Make one with `,(0,U.jsx)(`code`,{children:`tideline token --user 1`}),`, and add `,(0,U.jsx)(`code`,{children:`--admin`}),` to open the task queues.`]}),(0,U.jsxs)(`div`,{className:`token-row`,children:[(0,U.jsx)(E,{name:`key`}),(0,U.jsx)(`input`,{ref:t,id:`token`,type:`password`,autoComplete:`off`,autoCapitalize:`off`,spellCheck:!1,required:!0,"aria-describedby":`token-hint`}),(0,U.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:`Sign in`})]})]})}var Ot=[[`j`,`Next post`],[`k`,`Previous post`],[`Enter`,`Open the post`],[`n`,`Write a post`],[`r`,`Reply to the post`],[`l`,`Like the post`],[`f`,`Make the post a favorite`],[`.`,`Show new posts`],[`/`,`Search for people`],[`h`,`Go home`],[`?`,`Show this help`]];function kt(e){return e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey?!1:!e.target.closest(`input, textarea, select, [contenteditable], dialog, [role=menu]`)&&!document.querySelector(`dialog[open]`)}function J(e,t){let n=(0,R.useRef)(t);(0,R.useEffect)(()=>{n.current=t}),(0,R.useEffect)(()=>{let t=t=>{t.key===e&&kt(t)&&(t.preventDefault(),n.current())};return addEventListener(`keydown`,t),()=>removeEventListener(`keydown`,t)},[e])}function At(){return document.activeElement?.closest(`article[data-post]`)??null}function jt(){return(0,U.jsx)(`dl`,{className:`keys`,children:Ot.map(([e,t])=>(0,U.jsxs)(`div`,{children:[(0,U.jsx)(`dt`,{children:(0,U.jsx)(`kbd`,{children:e})}),(0,U.jsx)(`dd`,{children:t})]},e))})}function Mt({children:e}){let[t,n]=(0,R.useState)(null),{session:r}=L(),i=Ft(r.user!==null),a=r.user!==null,o=(0,R.useMemo)(()=>{let e=e=>a?e():n({dialog:`sign-in`});return{signedIn:e,account:i,compose:t=>e(()=>n({dialog:`compose`,draft:t}))}},[a,i]),s=()=>n(null);return Pt(o,()=>n({dialog:`help`})),(0,U.jsxs)(d,{value:o,children:[e,t?.dialog===`compose`&&(0,U.jsx)(W,{title:Nt(t.draft),onClose:s,children:(0,U.jsx)(xt,{draft:t.draft,autoFocus:!0,onSent:s})}),t?.dialog===`sign-in`&&(0,U.jsx)(W,{title:`You need to be signed in`,onClose:s,children:(0,U.jsx)(Ct,{})}),t?.dialog===`help`&&(0,U.jsx)(W,{title:`Keys`,onClose:s,children:(0,U.jsx)(jt,{})})]})}function Nt(e){return e.replyTo?`Reply`:e.repostOf?`Repost with words`:`New post`}function Pt(e,t){let n=e=>At()?.querySelector(`[data-action=${e}]`)?.click();J(`n`,()=>e.compose({text:``})),J(`r`,()=>n(`reply`)),J(`l`,()=>n(`like`)),J(`f`,()=>n(`favorite`)),J(`/`,()=>I(`/search`)),J(`h`,()=>I(`/`)),J(`?`,t)}function Ft(e){let t=(0,z.useRelayEnvironment)(),[n,r]=(0,R.useState)(null);return(0,R.useEffect)(()=>{if(!e)return;let{unsubscribe:n}=(0,z.fetchQuery)(t,Le,{}).subscribe({next:e=>r(e?.viewer?.user??null),error:()=>void 0});return n},[t,e]),n}var Y=`tideline-home`,It=Lt();function Lt(){let e=sessionStorage.getItem(Y);return sessionStorage.removeItem(Y),e?JSON.parse(e):null}function Rt(e,t){t===null?sessionStorage.removeItem(Y):sessionStorage.setItem(Y,JSON.stringify({place:e,after:t}))}function zt(e){return It?.place===e?It.after:null}var Bt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`before`,variableName:`before`},{kind:`Variable`,name:`first`,variableName:`first`},{kind:`Variable`,name:`last`,variableName:`last`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[n,r,i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,r,s,c,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[n,a,o,i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,s,c,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`5ac7c32d2e341d4d42c9aeafd3146fb5`,id:null,metadata:{},name:`HomeTimelinePageQuery`,operationKind:`query`,text:`query HomeTimelinePageQuery(
  $after: String
  $before: String
  $first: Int
  $last: Int
) {
  viewer {
    ...HomeTimeline_viewer_pbnwq
  }
}

fragment HomeTimeline_viewer_pbnwq on Viewer {
  homeFeed(first: $first, after: $after, last: $last, before: $before) {
    edges {
      cursor
      node {
        id
        databaseId
        publishedAt
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      startCursor
      hasPreviousPage
      endCursor
      hasNextPage
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();Bt.hash=`9634f1656418834cc9e489a74e53f0b0`;var Vt=(function(){var e=[`homeFeed`];return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],kind:`Fragment`,metadata:{connection:[{count:null,cursor:null,direction:`bidirectional`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:{count:`last`,cursor:`before`},path:e},fragmentPathInResult:[`viewer`],operation:Bt}},name:`HomeTimeline_viewer`,selections:[{alias:`homeFeed`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__HomeTimeline_homeFeed_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})();Vt.hash=`9634f1656418834cc9e489a74e53f0b0`;var Ht=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`after`},t={defaultValue:null,kind:`LocalArgument`,name:`first`},n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,a,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,i,c,l,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,o,s,a,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,c,l,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`e686395c0321fc681f45bd00985b1d5e`,id:null,metadata:{},name:`homeQuery`,operationKind:`query`,text:`query homeQuery(
  $first: Int!
  $after: String
) {
  viewer {
    ...HomeTimeline_viewer_2HEEH6
  }
}

fragment HomeTimeline_viewer_2HEEH6 on Viewer {
  homeFeed(first: $first, after: $after) {
    edges {
      cursor
      node {
        id
        databaseId
        publishedAt
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      startCursor
      hasPreviousPage
      endCursor
      hasNextPage
    }
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();Ht.hash=`0aef914fe6768d6b3d0a9aee888e75ca`;var Ut=Ht,Wt=3;function Gt({count:e,authors:t,busy:n,onClick:r}){return(0,R.useEffect)(()=>{document.title=e>0?`(${e}) Home · Tideline`:`Home · Tideline`},[e]),(0,U.jsxs)(`div`,{className:`pill-place`,children:[(0,U.jsx)(`span`,{className:`hidden`,role:`status`,children:e>0?ye(e):``}),e>0&&(0,U.jsxs)(`button`,{type:`button`,className:`pill`,"aria-busy":n,onClick:r,children:[(0,U.jsx)(E,{name:`up`}),t.length>0&&(0,U.jsx)(`span`,{className:`pill-faces`,"aria-hidden":`true`,children:t.slice(0,Wt).map(e=>(0,U.jsx)(M,{user:e,size:`small`},e.databaseId))}),ye(e)]})]})}function Kt(e,t,n){let r=n=>t.heights.get(e[n])??t.estimate,i=t.anchor?e.indexOf(t.anchor.key):-1,a=Math.max(i,0),o=i>=0?t.anchor.offset:0,s=a;for(let e=o;s>0&&e>-1*n;)e-=r(--s);let c=a;for(let t=o;c<e.length&&t<2*n;)t+=r(c++);let l=(e,t)=>{let n=0;for(let i=e;i<t;i++)n+=r(i);return n};return{start:s,end:c,before:l(0,s),after:l(c,e.length)}}var qt=20,X=new Map;function Jt(e,t,n){let r=`${e} ${t}`,i=X.get(r)??{heights:new Map,estimate:n,anchor:null};X.delete(r),X.set(r,i);for(let e of X.keys()){if(X.size<=qt)break;X.delete(e)}return i}var Yt=6;function Xt(e){let{items:t,keyOf:n,render:r,memory:i,moreAbove:a=!1,onNearTop:o,onNearEnd:s}=e,c=(0,R.useRef)(null),l=t.map(n),u=Kt(l,i,innerHeight),d=Zt(c,{keys:l,range:u,memory:i,moreAbove:a});return Qt(e.ref,c,l,i,d),(0,R.useEffect)(()=>{u.end>=l.length-Yt&&s?.(),u.start<=Yt&&o?.()}),(0,U.jsx)(`div`,{ref:c,className:`window-list`,role:`feed`,"aria-label":e.label,"aria-busy":e.busy??!1,style:{paddingTop:u.before,paddingBottom:u.after},children:t.slice(u.start,u.end).map((e,t)=>(0,U.jsx)(`div`,{"data-key":l[u.start+t],className:`window-item`,children:r(e,u.start+t)},l[u.start+t]))})}function Zt(e,t){let[,n]=(0,R.useReducer)(e=>e+1,0),{memory:r}=t,i=(0,R.useRef)(t);return(0,R.useLayoutEffect)(()=>{i.current=t,$t(e.current,r)}),(0,R.useEffect)(()=>{let t=()=>{if(!e.current)return;let{keys:t,range:a,moreAbove:o}=i.current;r.anchor=en(e.current,t,r,o);let s=Kt(t,r,innerHeight);(s.start!==a.start||s.end!==a.end)&&n()},a=new ResizeObserver(()=>$t(e.current,r));return e.current&&a.observe(e.current),addEventListener(`scroll`,t,{passive:!0}),addEventListener(`resize`,t),()=>{a.disconnect(),removeEventListener(`scroll`,t),removeEventListener(`resize`,t)}},[e,r]),n}function Qt(e,t,n,r,i){let a=(0,R.useRef)(null);(0,R.useLayoutEffect)(()=>{a.current!==null&&nn(t.current,a.current)&&(a.current=null)}),(0,R.useImperativeHandle)(e,()=>({move(e){let o=n.indexOf(tn(t.current)??``),s=o>=0?o+e:Math.max(0,n.indexOf(r.anchor?.key??``)),c=n[Math.min(Math.max(s,0),n.length-1)];c===void 0||nn(t.current,c)||(a.current=c,r.anchor={key:c,offset:innerHeight/3},i())},toTop(){r.anchor=null,i(),scrollTo({top:0})}}))}var Z=e=>[...e.children];function $t(e,t){if(!e)return;for(let n of Z(e)){let{key:e}=n.dataset,{height:r}=n.getBoundingClientRect();e!==void 0&&r>0&&t.heights.set(e,r)}let{anchor:n}=t,r=n&&Z(e).find(e=>e.dataset.key===n.key);if(!r)return;let i=r.getBoundingClientRect().top-n.offset;Math.abs(i)>=1&&scrollBy({top:i,behavior:`instant`})}function en(e,t,n,r){let{top:i}=e.getBoundingClientRect();if(i>=0&&!r)return null;for(let t of Z(e)){let e=t.getBoundingClientRect(),{key:n}=t.dataset;if(e.bottom>0&&e.top<innerHeight&&n!==void 0)return{key:n,offset:e.top}}let a=i;for(let e of t){let t=n.heights.get(e)??n.estimate;if(a+t>0)return{key:e,offset:a};a+=t}return null}function tn(e){let t=document.activeElement?.closest(`.window-item`);return t&&e?.contains(t)?t.dataset.key:void 0}function nn(e,t){let n=(e&&Z(e).find(e=>e.dataset.key===t))?.querySelector(`article`);return n?(n.focus({preventScroll:!0}),n.scrollIntoView({block:`nearest`}),!0):!1}var rn=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_post`,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},t,n],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[t,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[e,{args:null,kind:`FragmentSpread`,name:`PostCard_quoted`}],storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostActions_post`},{args:null,kind:`FragmentSpread`,name:`PostMenu_post`}],type:`Post`,abstractKey:null}})();rn.hash=`aeae1b40a2a58bc4aeec71e73a9d06d1`;var an={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_quoted`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],type:`Post`,abstractKey:null};an.hash=`a62375c7d23d08bbedf7eef86aafc2a1`;function on({text:e}){return ue(e).map((e,t)=>{switch(e.kind){case`link`:return(0,U.jsx)(`a`,{href:e.href,target:`_blank`,rel:`noreferrer nofollow`,children:re(e.href)+(e.text.length>40?`/…`:e.text.replace(/^https?:\/\/[^/]+/,``))},t);case`mention`:return(0,U.jsx)(P,{href:k(e.handle),children:e.text},t);default:return e.text}})}function sn({postId:e,text:t,onDone:n}){let[r,i]=(0,R.useState)(t),a=N(),o=()=>{O(r)>5e3||(n(),r!==t&&a(st(e,r,new Date().toISOString()),`Not changed`))};return(0,U.jsxs)(`form`,{className:`edit`,onSubmit:e=>{e.preventDefault(),o()},onKeyDown:e=>e.key===`Escape`&&n(),children:[(0,U.jsx)(bt,{label:`Text of the post`,value:r,onChange:i,onSend:o,autoFocus:!0}),(0,U.jsxs)(`div`,{className:`edit-foot`,children:[(0,U.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:n,children:`Cancel`}),(0,U.jsx)(`button`,{type:`submit`,className:`button button-small button-primary`,children:`Save`})]})]})}var cn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostActions_post`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],type:`Post`,abstractKey:null};cn.hash=`9de827b1f6d2fdfdb6dd61a461e0cc51`;var ln=80;function Q(e){let[t,n]=(0,R.useState)(!1),r=(0,R.useRef)(null),i=(0,R.useRef)(null),a=(0,R.useRef)(null);(0,R.useEffect)(()=>{if(!t)return;let e=a.current;e&&e.getBoundingClientRect().bottom>innerHeight-ln&&e.classList.add(`menu-up`),e?.querySelector(`[role=menuitem]`)?.focus({preventScroll:!0});let i=e=>{r.current?.contains(e.target)||n(!1)};return addEventListener(`pointerdown`,i),()=>removeEventListener(`pointerdown`,i)},[t]);let o=()=>{n(!1),i.current?.focus()};return(0,U.jsxs)(`div`,{ref:r,className:`menu-box`,children:[(0,U.jsx)(`button`,{ref:i,type:`button`,className:e.className??`icon-button`,"aria-haspopup":`menu`,"aria-expanded":t,"aria-label":e.label,onClick:()=>n(!t),children:e.children}),t&&(0,U.jsx)(`div`,{ref:a,className:`menu`,role:`menu`,"aria-label":e.label,tabIndex:-1,onKeyDown:e=>un(e,a.current,o),children:e.items.map(e=>(0,U.jsxs)(`button`,{type:`button`,role:`menuitem`,tabIndex:-1,className:e.danger?`menu-item menu-danger`:`menu-item`,onClick:()=>{o(),e.run()},children:[(0,U.jsx)(`span`,{children:e.label}),e.hint&&(0,U.jsx)(`small`,{children:e.hint})]},e.label))})]})}function un(e,t,n){let r=[...t?.querySelectorAll(`[role=menuitem]`)??[]],i=r.indexOf(document.activeElement),a={ArrowDown:i+1,ArrowUp:i-1,Home:0,End:r.length-1}[e.key];if(a!==void 0)r.at(a%r.length)?.focus();else if(e.key===`Escape`||e.key===`Tab`)n();else return;e.preventDefault(),e.stopPropagation()}function dn({post:e}){let t=(0,z.useFragment)(cn,e),{compose:n,signedIn:r,account:i}=u(),a=N(),o={name:t.author.name,handle:t.author.handle,text:t.text},{counters:s}=t;return(0,U.jsxs)(`div`,{className:`actions`,role:`group`,"aria-label":`Actions`,children:[(0,U.jsxs)(`button`,{type:`button`,className:`action`,"data-action":`reply`,"aria-label":`Reply, ${_(s.comments,`reply`,`replies`)}`,onClick:()=>n({text:``,replyTo:t.id,about:o}),children:[(0,U.jsx)(E,{name:`reply`}),` `,(0,U.jsx)(pn,{of:s.comments})]}),(0,U.jsxs)(Q,{label:`Repost, ${_(s.reposts,`repost`)}`,className:`action`,items:[{label:`Repost`,hint:`Show it to your followers`,run:()=>r(()=>void a(ft({text:``,repostOf:t.id},_t(),i?.id??null),`Not reposted`))},{label:`Repost with words`,hint:`Say something about it`,run:()=>n({text:``,repostOf:t.id,about:o})}],children:[(0,U.jsx)(E,{name:`repost`}),` `,(0,U.jsx)(pn,{of:s.reposts})]}),(0,U.jsx)(fn,{name:`like`,icon:`like`,label:`Like`,on:t.viewerHasLiked,count:s.likes,one:`like`,onClick:()=>r(()=>void a(rt(t),t.viewerHasLiked?`Still liked`:`Not liked`))}),(0,U.jsx)(fn,{name:`favorite`,icon:`favorite`,label:`Favorite`,on:t.viewerHasFavorited,count:s.favorites,one:`favorite`,onClick:()=>r(()=>void a(ot(t),t.viewerHasFavorited?`Still a favorite`:`Not made a favorite`))})]})}function fn({name:e,icon:t,label:n,on:r,count:i,one:a,onClick:o}){return(0,U.jsxs)(`button`,{type:`button`,className:`action action-${e}`,"data-action":e,"aria-pressed":r,"aria-label":`${n}, ${_(i,a)}`,onClick:o,children:[(0,U.jsx)(E,{name:t,filled:r}),` `,(0,U.jsx)(pn,{of:i})]})}function pn({of:e}){return(0,U.jsx)(`span`,{className:`count`,children:e>0?l(e):``})}var mn=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t=[e];return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostMenu_post`,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:t,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:t,storageKey:null}],type:`Post`,abstractKey:null}})();mn.hash=`5c2bf0e4cc86ef3b49a04a38ada31d85`;var hn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`useRelations_user`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],type:`User`,abstractKey:null};hn.hash=`cc6d4c9048100559422c455c97249aad`;var gn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`followUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationFollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationFollowMutation`,selections:t},params:{cacheID:`d82025c4af432cf7dfdc84680b4d2ac9`,id:null,metadata:{},name:`relationFollowMutation`,operationKind:`mutation`,text:`mutation relationFollowMutation(
  $input: UserIdInput!
) {
  payload: followUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();gn.hash=`9d54221965ca0288f1a84647c72d4364`;var _n=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unfollowUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnfollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnfollowMutation`,selections:t},params:{cacheID:`ba78124df60748a9a0aea5b3cf163f5c`,id:null,metadata:{},name:`relationUnfollowMutation`,operationKind:`mutation`,text:`mutation relationUnfollowMutation(
  $input: UserIdInput!
) {
  payload: unfollowUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();_n.hash=`de1665415316fec067867515ef62479f`;var vn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`muteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationMuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationMuteMutation`,selections:t},params:{cacheID:`359baa413f8d2557a9667bd9310b2704`,id:null,metadata:{},name:`relationMuteMutation`,operationKind:`mutation`,text:`mutation relationMuteMutation(
  $input: UserIdInput!
) {
  payload: muteUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();vn.hash=`c53e2783a4b69296cf3d3947b3e96edb`;var yn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unmuteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnmuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnmuteMutation`,selections:t},params:{cacheID:`8b1c8b99a58e93446535564b835a07c0`,id:null,metadata:{},name:`relationUnmuteMutation`,operationKind:`mutation`,text:`mutation relationUnmuteMutation(
  $input: UserIdInput!
) {
  payload: unmuteUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();yn.hash=`a4954af8767c71a8291b3d2800807af9`;var bn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`hideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationHideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationHideMutation`,selections:t},params:{cacheID:`82c6b935c43f2ace1b8da2f7b38f813e`,id:null,metadata:{},name:`relationHideMutation`,operationKind:`mutation`,text:`mutation relationHideMutation(
  $input: UserIdInput!
) {
  payload: hideFromUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();bn.hash=`113eb6f87f516bee3c420d581a14ff56`;var xn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unhideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnhideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnhideMutation`,selections:t},params:{cacheID:`89b60f9f69aabdcb2dee807c1a760671`,id:null,metadata:{},name:`relationUnhideMutation`,operationKind:`mutation`,text:`mutation relationUnhideMutation(
  $input: UserIdInput!
) {
  payload: unhideFromUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();xn.hash=`65ca586a2bba70c98385b9d12c90604f`;var Sn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`blockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationBlockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationBlockMutation`,selections:t},params:{cacheID:`ad4ede9c1d56aff8892d721c2da7b0d5`,id:null,metadata:{},name:`relationBlockMutation`,operationKind:`mutation`,text:`mutation relationBlockMutation(
  $input: UserIdInput!
) {
  payload: blockUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Sn.hash=`83c739d2c1821efd7c7dbab04b43e870`;var Cn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unblockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnblockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnblockMutation`,selections:t},params:{cacheID:`1caa1bd1927fac962e99b7c4133148de`,id:null,metadata:{},name:`relationUnblockMutation`,operationKind:`mutation`,text:`mutation relationUnblockMutation(
  $input: UserIdInput!
) {
  payload: unblockUser(input: $input) {
    user {
      id
      viewerFollows
      viewerMutes
      viewerHidesFrom
      viewerBlocks
      counters {
        followers
      }
    }
    userErrors {
      code
      message
    }
  }
}
`}}})();Cn.hash=`dd97e14971391fb593847eb855f28a76`;var wn={follow:`viewerFollows`,mute:`viewerMutes`,hide:`viewerHidesFrom`,block:`viewerBlocks`},Tn={follow:[gn,_n],mute:[vn,yn],hide:[bn,xn],block:[Sn,Cn]};function En(e,t){let n=!t[wn[e]];return{mutation:Tn[e][+!n],variables:{input:{userId:t.id}},optimisticUpdater:r=>{let i=r.get(t.id);i?.setValue(n,wn[e]),e===`follow`&&i?.getLinkedRecord(`counters`)?.setValue(t.counters.followers+(n?1:-1),`followers`),Dn(e,n)&&On(r,t.id)},updater:r=>{e===`block`&&r.get(t.id)?.invalidateRecord(),Dn(e,n)?On(r,t.id):kn(r)}}}function Dn(e,t){return e===`follow`?!t:e!==`hide`&&t}function On(e,t){let n=ut(e),r=n?.getLinkedRecords(`edges`);if(!n||!r)return;let i=r.filter(e=>{let n=e?.getLinkedRecord(`node`);return![n,n?.getLinkedRecord(`repostOf`)].map(e=>e?.getLinkedRecord(`author`)?.getDataID()).includes(t)});n.setLinkedRecords(i,`edges`)}function kn(e){e.get(B.ROOT_ID)?.getLinkedRecord(`viewer`)?.invalidateRecord()}var An={follow:{on:`Follow`,off:`Unfollow`,hint:`Posts stand in your home feed`,done:`You follow`,undone:`You no longer follow`},mute:{on:`Mute`,off:`Unmute`,hint:`Keeps posts out of your home feed; nobody is told`,done:`Muted`,undone:`No longer muted`},hide:{on:`Hide from`,off:`Stop hiding from`,hint:`Shows your posts to everyone else`,done:`Your posts are hidden from`,undone:`Your posts are shown again to`},block:{on:`Block`,off:`Unblock`,hint:`Neither sees the other’s posts`,done:`Blocked`,undone:`No longer blocked`,danger:!0}};function jn(e){let t=(0,z.useFragment)(hn,e),n=N(),r=p();return Object.keys(An).map(e=>{let i=An[e],a=t[wn[e]],o=`${a?i.off:i.on} @${t.handle}`,s=async()=>{await n(En(e,t),`Not done: ${o.toLowerCase()}`)&&r.show({tone:`good`,title:`${a?i.undone:i.done} @${t.handle}`})};return{relation:e,on:a,label:o,run:()=>void s(),...!a&&{hint:i.hint},...i.danger&&!a&&{danger:!0}}})}function Mn({post:e,own:t,alone:n,onEdit:r}){let i=(0,z.useFragment)(mn,e),[a,o]=(0,R.useState)(!1),{signedIn:s}=u(),c=p(),l=N(),d=jn(i.author),f=()=>{let e=new URL(j(i.id),location.href).href;navigator.clipboard?.writeText(e).then(()=>c.show({tone:`good`,title:`Link copied`}),()=>c.show({tone:`bad`,title:`The link could not be copied`,text:e}))},m=async()=>{let e=ct({id:i.id,replyTo:i.replyTo?.id??null,repostOf:i.repostOf?.id??null});n&&oe(`/`),await l(e,`Not deleted`)&&c.show({tone:`good`,title:`Deleted`})},h=[...t?[{label:`Edit`,run:r},{label:`Delete`,danger:!0,run:()=>o(!0)}]:d.map(e=>({...e,run:()=>s(e.run)})),{label:`Copy link`,run:f}];return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(Q,{label:`More on this post by @${i.author.handle}`,items:h,children:(0,U.jsx)(E,{name:`more`})}),a&&(0,U.jsx)(Re,{title:`Delete this post?`,text:`It leaves every feed at once, and cannot be brought back.`,yes:`Delete`,onYes:()=>void m(),onClose:()=>o(!1)})]})}function Nn({post:e,position:t,total:n,alone:r=!1}){let i=(0,z.useFragment)(rn,e),{session:a}=L(),[o,s]=(0,R.useState)(!1),c=pt(i.id),l=a.user?.id===i.author.databaseId,u=()=>!r&&!c&&I(j(i.id)),d=`${i.id}-author ${i.id}-text`;return(0,U.jsxs)(`article`,{className:`post${r?` post-alone`:``}${c?` post-pending`:``}`,tabIndex:0,"data-post":i.id,"aria-labelledby":d,"aria-posinset":t,"aria-setsize":n,"aria-busy":c,onClick:e=>Fn(e)&&u(),onKeyDown:e=>e.key===`Enter`&&e.target===e.currentTarget&&u(),children:[(0,U.jsx)(P,{href:k(i.author.handle),className:`post-face`,tabIndex:-1,"aria-hidden":`true`,children:(0,U.jsx)(M,{user:i.author})}),(0,U.jsxs)(`div`,{className:`post-main`,children:[(0,U.jsx)(Pn,{post:i,alone:r,pending:c}),(0,U.jsxs)(`div`,{id:`${i.id}-text`,children:[o?(0,U.jsx)(sn,{postId:i.id,text:i.text,onDone:()=>s(!1)}):(0,U.jsx)(Ln,{of:i.text}),(0,U.jsx)(zn,{urls:i.media}),i.repostOf?(0,U.jsx)(In,{post:i.repostOf}):i.kind===`REPOST`&&(0,U.jsx)(Rn,{})]}),!c&&(0,U.jsxs)(`footer`,{className:`post-foot`,children:[(0,U.jsx)(dn,{post:i}),(0,U.jsx)(Mn,{post:i,own:l,alone:r,onEdit:()=>s(!0)})]})]})]})}function Pn({post:e,alone:t,pending:n}){let{author:r}=e;return(0,U.jsxs)(`header`,{className:`post-head`,children:[(0,U.jsxs)(`span`,{id:`${e.id}-author`,className:`post-by`,children:[(0,U.jsx)(P,{href:k(r.handle),className:`post-name`,children:r.name}),` `,(0,U.jsxs)(`span`,{className:`post-handle`,children:[`@`,r.handle]}),e.kind===`REPOST`&&(0,U.jsxs)(`span`,{className:`post-note`,children:[` `,(0,U.jsx)(E,{name:`repost`}),` reposted`]})]}),(0,U.jsxs)(`span`,{className:`post-time`,children:[n?`Sending…`:(0,U.jsx)(P,{href:j(e.id),className:`quiet-link`,children:(0,U.jsx)(a,{moment:e.publishedAt})}),e.editedAt&&(0,U.jsx)(`span`,{title:`Edited ${new Date(e.editedAt).toLocaleString()}`,children:` · edited`})]}),e.replyTo&&!t&&(0,U.jsxs)(P,{href:j(e.replyTo.id),className:`post-context quiet-link`,children:[(0,U.jsx)(E,{name:`reply`}),` in answer to @`,e.replyTo.author.handle]})]})}function Fn(e){return!e.target.closest(`a, button, input, textarea, [role=menu], dialog`)&&!getSelection()?.toString()}function In({post:e}){let t=(0,z.useFragment)(an,e);return(0,U.jsxs)(`div`,{className:`quoted`,children:[(0,U.jsxs)(`p`,{className:`post-by`,children:[(0,U.jsx)(M,{user:t.author,size:`small`}),(0,U.jsx)(P,{href:k(t.author.handle),className:`post-name`,children:t.author.name}),` `,(0,U.jsxs)(`span`,{className:`post-handle`,children:[`@`,t.author.handle]}),(0,U.jsx)(P,{href:j(t.id),className:`quiet-link post-time`,children:(0,U.jsx)(a,{moment:t.publishedAt})})]}),(0,U.jsx)(Ln,{of:t.text}),(0,U.jsx)(zn,{urls:t.media})]})}function Ln({of:e}){return e&&(0,U.jsx)(`p`,{className:`post-text`,children:(0,U.jsx)(on,{text:e})})}function Rn(){return(0,U.jsx)(`p`,{className:`quoted quoted-gone`,children:`What was shown here is not there any more.`})}function zn({urls:e}){return e.length?(0,U.jsx)(`ul`,{className:`media`,"aria-label":`Media`,children:e.map((e,t)=>(0,U.jsx)(`li`,{children:(0,U.jsxs)(`a`,{href:e,target:`_blank`,rel:`noreferrer nofollow`,children:[(0,U.jsx)(E,{name:`picture`}),` `,(0,U.jsx)(`span`,{children:re(e)}),(0,U.jsx)(`span`,{className:`hidden`,children:`opens elsewhere`})]})},t))}):null}var Bn=150;function Vn(e){let{edges:t,hasNext:n,loadNext:r,loadingNext:i,above:a,line:o}=e,[c,l]=(0,R.useState)(null),[u]=(0,R.useState)(()=>{let n=Jt(A.get().key,e.label,Bn);return a?.more&&t[0]&&(n.anchor??={key:t[0].node.id,offset:0}),n}),d=()=>{!i&&n&&(l(null),r(20,{onComplete:l}))};return!t.length&&!n?e.empty:(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(Xt,{ref:e.ref,label:e.label,items:t,keyOf:e=>e.node.id,memory:u,busy:i||(a?.loading??!1),moreAbove:a?.more??!1,onNearEnd:()=>c||d(),...a&&{onNearTop:()=>a.more&&a.load()},render:(e,r)=>(0,U.jsxs)(U.Fragment,{children:[o&&o.before===e.node.id&&r>0&&(0,U.jsx)(Hn,{text:o.text}),(0,U.jsx)(Nn,{post:e.node,position:r+1,total:n?-1:t.length})]})}),(0,U.jsx)(s,{loading:i,failure:c,hasMore:n,retry:d,end:e.end})]})}function Hn({text:e}){return(0,U.jsxs)(`div`,{className:`tide-line`,role:`separator`,"aria-label":e,children:[(0,U.jsx)(`svg`,{viewBox:`0 0 600 14`,preserveAspectRatio:`none`,"aria-hidden":`true`,children:(0,U.jsx)(`path`,{d:`M0 7c12.5-8 25-8 37.5 0s25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0`})}),(0,U.jsx)(`span`,{"aria-hidden":`true`,children:e})]})}var Un=D({posts:[],counted:0});function Wn(e,t,n){let r=(0,z.useRelayEnvironment)(),i=m(),{posts:a,counted:o}=y(i?.state??Un),s=(0,R.useMemo)(()=>{let n=e.map(e=>({...e.node,cursor:e.cursor}));return a.map(e=>({post:e,at:_e(e,n,t)}))},[a,e,t]);(0,R.useEffect)(()=>{i?.setTop(t),n&&i?.count()},[i,t,n]),(0,R.useEffect)(()=>{let e=s.filter(({at:e})=>e!==`above`);if(e.length&&i){for(let{post:t,at:n}of e)Gn(r,t,n);i.settle(new Set(e.map(({post:e})=>e.id)))}},[r,i,s]);let c=s.filter(({at:e})=>e===`above`).map(({post:e})=>e),l=[...new Map(c.reverse().map(({author:e})=>[e.databaseId,e])).values()];return{count:ve(c.length,o),authors:l}}function Gn(e,t,n){typeof n!=`string`&&(0,z.commitLocalUpdate)(e,e=>{let r=ut(e),i=e.get(t.id);if(!r||!i)return;let a=B.ConnectionHandler.createEdge(e,r,i,`FeedEdge`);a.setValue(t.cursor,`cursor`),B.ConnectionHandler.insertEdgeBefore(r,a,n.before)})}function Kn(e){let t=(0,R.useRef)(e);(0,R.useEffect)(()=>{t.current=e}),(0,R.useEffect)(()=>{let e=()=>{let e=qn(),n=t.current.findIndex(t=>t.node.id===e);Rt(A.get().key,n>0?t.current[n-1]?.cursor??null:null)};return addEventListener(`pagehide`,e),()=>removeEventListener(`pagehide`,e)},[])}function qn(){return[...document.querySelectorAll(`.window-item`)].find(e=>e.getBoundingClientRect().bottom>0)?.dataset.key}var Jn=60;function Yn({viewer:e}){let t=(0,z.usePaginationFragment)(Vt,e),{edges:n,pageInfo:r}=t.data.homeFeed,i=(0,R.useMemo)(()=>n.filter(e=>e.node!=null),[n]),a=(0,R.useRef)(null),o=Wn(i,r.startCursor??null,r.hasPreviousPage),{line:s,toNewest:l,busy:u}=Xn({pages:t,pageInfo:r,list:a,first:i[0]?.node.id??null,missing:o.count});Kn(i),J(`.`,l),J(`j`,()=>a.current?.move(1)),J(`k`,()=>a.current?.move(-1));let{loadPrevious:d,isLoadingPrevious:f}=t,[p,m]=(0,R.useState)(!1),h=(0,R.useCallback)(()=>{f||p||d(20,{onComplete:e=>m(e!==null)})},[d,f,p]);return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(Gt,{count:o.count,authors:o.authors,busy:u,onClick:l}),(0,U.jsx)(Vn,{ref:a,label:`Home feed`,edges:i,hasNext:t.hasNext,loadNext:t.loadNext,loadingNext:t.isLoadingNext,above:{more:r.hasPreviousPage,loading:f,load:h},line:s?{before:s,text:`New down to here`}:null,end:`You have reached the shore. There is nothing older.`,empty:(0,U.jsxs)(c,{icon:`home`,title:`Your feed is calm`,children:[(0,U.jsx)(`p`,{children:`It fills with the posts of people you follow.`}),(0,U.jsx)(P,{className:`button button-primary`,href:`/search`,children:`Find people to follow`})]})})]})}function Xn({pages:e,pageInfo:t,list:n,first:r,missing:i}){let a=(0,z.useRelayEnvironment)(),o=m(),s=p(),[c,l]=(0,R.useState)(null),[u,d]=(0,R.useState)(!1),{loadPrevious:f,isLoadingPrevious:g}=e,{hasPreviousPage:_,startCursor:v}=t,y=async()=>{if(u)return;d(!0);let e=o?.announced()??[];try{v&&!_&&!g&&i<=Jn?await new Promise((e,t)=>f(100,{onComplete:n=>n?t(n):e()})):await(0,z.fetchQuery)(a,Ut,{first:20,after:null},{fetchPolicy:`network-only`}).toPromise(),o?.read(e),i>0&&l(r),n.current?.toTop()}catch(e){let{title:t,help:n,requestId:r}=h(e);s.show({tone:`bad`,title:t,text:n,requestId:r,action:{label:`Try again`,run:()=>void y()}})}finally{d(!1)}},b=(0,R.useRef)(y);return(0,R.useEffect)(()=>{b.current=y}),{line:c,busy:u,toNewest:(0,R.useCallback)(()=>void b.current(),[])}}function Zn({attempt:e}){let[t]=(0,R.useState)(()=>A.get().key),n=e===0?zt(t):null,{viewer:r}=(0,z.useLazyLoadQuery)(Ut,{first:20,after:n},{fetchKey:e});return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`h1`,{className:`hidden`,tabIndex:-1,children:`Home`}),(0,U.jsx)(`div`,{className:`home-composer`,children:(0,U.jsx)(xt,{draft:{text:``}})}),r&&(0,U.jsx)(Yn,{viewer:r})]})}var Qn=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`first`},t={defaultValue:null,kind:`LocalArgument`,name:`id`},n=[{kind:`Variable`,name:`id`,variableName:`id`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},o={args:null,kind:`FragmentSpread`,name:`PostCard_post`},s=[{kind:`Variable`,name:`first`,variableName:`first`}],c={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},m={alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},h={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},g={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},_={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},v={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},y={alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},b={alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,l,a,i,u,d,f,p,m],storageKey:null},x={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[a,i,r],storageKey:null}],storageKey:null},S={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,g,_,v,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,a,i,r],storageKey:null}],storageKey:null},C={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},w={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},T={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{fragment:{kind:`InlineFragment`,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,o],storageKey:null},o,{args:s,kind:`FragmentSpread`,name:`PostComments_post`}],type:`Post`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[c,r,{kind:`InlineFragment`,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a,r,l,u,d,f,p,m],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,h,g,_,v,y,b,x,S,C,w,T],storageKey:null},h,g,_,v,y,S,C,w,T,{alias:null,args:s,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,h,g,_,v,y,b,x,S,C,w,T,c],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:s,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`e33330cd7fc639fb1de04e2c9ce86c19`,id:null,metadata:{},name:`PostPageQuery`,operationKind:`query`,text:`query PostPageQuery(
  $id: ID!
  $first: Int!
) {
  node(id: $id) {
    __typename
    ... on Post {
      id
      author {
        name
        handle
        id
      }
      replyTo {
        id
        ...PostCard_post
      }
      ...PostCard_post
      ...PostComments_post_3ASum4
    }
    id
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostComments_post_3ASum4 on Post {
  comments(first: $first) {
    edges {
      cursor
      node {
        id
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();Qn.hash=`8d43625e4928efb1f23a574c41d4f7ff`;var $n=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`id`}],t=[{kind:`Variable`,name:`id`,variableName:`id`}],n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`PostComments_post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{kind:`InlineFragment`,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[i,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`581eb826f66d100e9f7ee934ead8ab15`,id:null,metadata:{},name:`PostCommentsPageQuery`,operationKind:`query`,text:`query PostCommentsPageQuery(
  $after: String
  $first: Int
  $id: ID!
) {
  node(id: $id) {
    __typename
    ...PostComments_post_2HEEH6
    id
  }
}

fragment PostActions_post on Post {
  id
  text
  author {
    handle
    name
    id
  }
  counters {
    likes
    comments
    reposts
    favorites
  }
  viewerHasLiked
  viewerHasFavorited
}

fragment PostCard_post on Post {
  id
  kind
  text
  media
  publishedAt
  editedAt
  author {
    id
    databaseId
    handle
    name
  }
  replyTo {
    id
    author {
      handle
      name
      id
    }
  }
  repostOf {
    id
    ...PostCard_quoted
  }
  ...PostActions_post
  ...PostMenu_post
}

fragment PostCard_quoted on Post {
  id
  text
  media
  publishedAt
  author {
    databaseId
    handle
    name
    id
  }
}

fragment PostComments_post_2HEEH6 on Post {
  comments(first: $first, after: $after) {
    edges {
      cursor
      node {
        id
        ...PostCard_post
        __typename
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
  id
}

fragment PostMenu_post on Post {
  id
  author {
    handle
    ...useRelations_user
    id
  }
  replyTo {
    id
  }
  repostOf {
    id
  }
}

fragment useRelations_user on User {
  handle
  id
  viewerFollows
  viewerMutes
  viewerHidesFrom
  viewerBlocks
  counters {
    followers
  }
}
`}}})();$n.hash=`3b9bf2976104d5471d7847fa8315b561`;var er=(function(){var e=[`comments`],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`node`],operation:$n,identifierInfo:{identifierField:`id`,identifierQueryVariableName:`id`}}},name:`PostComments_post`,selections:[{alias:`comments`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__PostComments_comments_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},t],type:`Post`,abstractKey:null}})();er.hash=`3b9bf2976104d5471d7847fa8315b561`;function tr({post:e}){let{data:t,hasNext:n,loadNext:r,isLoadingNext:i}=(0,z.usePaginationFragment)(er,e);return(0,U.jsx)(`section`,{"aria-label":`Replies`,children:(0,U.jsx)(Vn,{label:`Replies to the post`,edges:t.comments.edges.filter(e=>e.node!=null),hasNext:n,loadNext:r,loadingNext:i,empty:(0,U.jsx)(`p`,{className:`list-end`,children:`Nobody has replied yet.`}),end:`Those are all replies.`})})}function nr({id:e,attempt:t}){let{node:n}=(0,z.useLazyLoadQuery)(Qn,{id:e,first:20},{fetchKey:t,fetchPolicy:`store-and-network`}),{session:r}=L(),i=n?.post;return i?(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(F,{title:`Post by ${i.author.name}`,back:!0}),i.replyTo&&(0,U.jsx)(`div`,{className:`thread-parent`,children:(0,U.jsx)(Nn,{post:i.replyTo})}),(0,U.jsx)(Nn,{post:i,alone:!0}),r.user&&(0,U.jsx)(`div`,{className:`home-composer`,children:(0,U.jsx)(xt,{draft:{text:``,replyTo:i.id}},i.id)}),(0,U.jsx)(tr,{post:i})]}):(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(F,{title:`Post`,back:!0}),(0,U.jsx)(c,{icon:`reply`,title:`There is no such post`,children:(0,U.jsx)(`p`,{children:`It was deleted, or it is not shown to you.`})})]})}function rr({label:e=`For developers`}){return(0,U.jsxs)(`nav`,{className:`server-links`,"aria-label":e,children:[(0,U.jsx)(`a`,{href:`/graphiql`,children:`GraphiQL`}),(0,U.jsx)(`a`,{href:`/schema.graphql`,children:`Schema`}),(0,U.jsx)(`a`,{href:`/tasks`,children:`Task queues`}),(0,U.jsx)(`a`,{href:`/healthz`,children:`Health`})]})}function ir(){return(0,R.useEffect)(()=>{document.title=`Tideline`},[]),(0,U.jsxs)(`div`,{className:`welcome`,children:[(0,U.jsxs)(`div`,{className:`welcome-words`,children:[(0,U.jsx)(ee,{}),(0,U.jsx)(`h1`,{tabIndex:-1,children:`Tideline`}),(0,U.jsx)(`p`,{className:`lead`,children:`Everything the people you follow have written. In order, and all of it.`}),(0,U.jsx)(rr,{})]}),(0,U.jsx)(Ct,{}),(0,U.jsx)(ar,{})]})}function ar(){return(0,U.jsxs)(`svg`,{className:`sea`,viewBox:`0 0 1200 220`,preserveAspectRatio:`none`,"aria-hidden":`true`,focusable:`false`,children:[(0,U.jsx)(`path`,{d:`M0 70c100-60 200-60 300 0s200 60 300 0 200-60 300 0 200 60 300 0v150H0Z`}),(0,U.jsx)(`path`,{d:`M0 120c75-44 150-44 225 0s150 44 225 0 150-44 225 0 150 44 225 0 150-44 300 0v100H0Z`}),(0,U.jsx)(`path`,{d:`M0 165c120-38 240-38 360 0s240 38 360 0 240-38 480 0v55H0Z`})]})}var or=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[t],storageKey:null},{alias:null,args:[{kind:`Variable`,name:`first`,variableName:`first`}],concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null}],storageKey:null}],storageKey:null}],storageKey:null},{kind:`ClientExtension`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__id`,storageKey:null}]}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveNowQuery`,selections:n,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveNowQuery`,selections:n},params:{cacheID:`c5c0bef5aa34d4f3bb22a7905abadfe6`,id:null,metadata:{},name:`LiveNowQuery`,operationKind:`query`,text:`query LiveNowQuery(
  $first: Int!
) {
  viewer {
    user {
      id
    }
    liveFeed(first: $first) {
      nodes {
        id
        title
        state
        scheduledAt
        startedAt
        endedAt
        host {
          id
          databaseId
          name
          handle
          viewerFollows
          viewerMutes
          viewerBlocks
        }
      }
    }
  }
}
`}}})();or.hash=`1751d078427ff254437a3dfebce7822a`;var sr=class extends R.Component{state={failed:!1};static getDerivedStateFromError(){return{failed:!0}}render(){return this.state.failed?null:this.props.children}};function cr(e,t,n){let r=(0,z.useRelayEnvironment)(),i=JSON.stringify(n),a=(0,R.useCallback)(()=>{(0,z.fetchQuery)(r,t,JSON.parse(i),{fetchPolicy:`network-only`}).subscribe({error:()=>void 0})},[r,t,i]);(0,z.useSubscribeToInvalidationState)(e?[e]:[],a)}var lr=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`ids`}],t=[{kind:`Variable`,name:`ids`,variableName:`ids`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{fragment:{kind:`InlineFragment`,selections:[n,{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],type:`LiveSession`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`session`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},n,{kind:`InlineFragment`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},n],storageKey:null}],type:`LiveSession`,abstractKey:null}],storageKey:null}]},params:{cacheID:`e2eb35752487c1f18eeb9e12d79d3d3f`,id:null,metadata:{},name:`useFreshStatesQuery`,operationKind:`query`,text:`query useFreshStatesQuery(
  $ids: [ID!]!
) {
  nodes(ids: $ids) {
    __typename
    ... on LiveSession {
      id
      ...LiveCard_session
    }
    id
  }
}

fragment LiveCard_session on LiveSession {
  id
  title
  state
  scheduledAt
  startedAt
  endedAt
  replayUrl
  host {
    databaseId
    handle
    name
    id
  }
}
`}}})();lr.hash=`bec7d7d0ed7ee98ea27d375bb8ff679a`;var ur=1e4,dr=100;function fr(e){let t=(0,z.useRelayEnvironment)(),n=e.filter(({node:e})=>e!=null&&e.state!==`REPLAY`).map(({node:e})=>e.id),r=(0,R.useRef)(n);(0,R.useEffect)(()=>{r.current=n.slice(0,dr)}),(0,R.useEffect)(()=>{let e=()=>{!document.hidden&&r.current.length&&(0,z.fetchQuery)(t,lr,{ids:r.current},{fetchPolicy:`network-only`}).subscribe({error:()=>void 0})},n=setInterval(e,ur);return document.addEventListener(`visibilitychange`,e),()=>{clearInterval(n),document.removeEventListener(`visibilitychange`,e)}},[t])}var pr=4;function mr(){return(0,U.jsx)(sr,{children:(0,U.jsx)(R.Suspense,{children:(0,U.jsx)(gr,{})})})}var hr=or;function gr(){let{viewer:e}=(0,z.useLazyLoadQuery)(hr,{first:pr});cr(e?.__id,hr,{first:pr});let t=t=>t.id===e?.user.id||t.viewerFollows&&!t.viewerMutes&&!t.viewerBlocks,n=ie(`second`);fr((e?.liveFeed.nodes??[]).map(e=>({node:e})));let r=e?.liveFeed.nodes.filter(({state:e,host:n})=>e!==`REPLAY`&&t(n))??[];return r.length?(0,U.jsxs)(`section`,{className:`card live-now`,"aria-labelledby":`live-now-title`,children:[(0,U.jsx)(`h2`,{id:`live-now-title`,children:`On air and coming up`}),(0,U.jsx)(`ul`,{children:r.map(e=>(0,U.jsxs)(`li`,{className:`live-small live-${e.state.toLowerCase()}`,children:[(0,U.jsx)(M,{user:e.host,size:`small`}),(0,U.jsxs)(`span`,{className:`live-words`,children:[(0,U.jsx)(`span`,{className:`live-title`,children:e.title}),(0,U.jsx)(`span`,{className:`live-clock`,children:e.host.name}),(0,U.jsx)(`span`,{className:`live-clock`,children:g(e,n)})]})]},e.id))}),(0,U.jsx)(P,{href:`/live`,className:`card-more`,children:`All sessions`})]}):null}function _r({route:e}){let{session:t}=L(),[n,r]=(0,R.useState)(``);return(0,U.jsxs)(`aside`,{className:`beside`,"aria-label":`Beside the page`,children:[e.name!==`search`&&(0,U.jsxs)(`form`,{className:`search`,role:`search`,"aria-label":`People`,onSubmit:e=>{e.preventDefault(),I(se(n.trim()))},children:[(0,U.jsx)(E,{name:`search`}),(0,U.jsx)(`input`,{type:`search`,"aria-label":`Find people`,placeholder:`Find people`,maxLength:100,value:n,onChange:e=>r(e.target.value)})]}),t.user&&e.name!==`live`&&(0,U.jsx)(mr,{}),(0,U.jsx)(rr,{}),(0,U.jsxs)(`p`,{className:`hint`,children:[`Press `,(0,U.jsx)(`kbd`,{children:`?`}),` for the keys.`]})]})}var vr=D({posts:[],counted:0});function yr({route:e}){let{session:t}=L(),{compose:n,account:r}=u(),{posts:i,counted:a}=y(m()?.state??vr),o=e.name!==`home`&&ve(i.length,a)>0,s=r?.handle??t.user?.handle,c=t=>e.name===t,l=[{name:`home`,label:`Home`,icon:`home`,href:`/`,here:c(`home`)},{name:`search`,label:`Search`,icon:`search`,href:`/search`,here:c(`search`)},{name:`live`,label:`Live`,icon:`live`,href:`/live`,here:c(`live`)},...s?[{name:`profile`,label:`Profile`,icon:`person`,href:k(s),here:e.name===`profile`&&e.handle===s}]:[],{name:`settings`,label:`Settings`,icon:`settings`,href:`/settings`,here:c(`settings`)}];return(0,U.jsxs)(`header`,{className:`side`,children:[(0,U.jsxs)(P,{href:`/`,className:`brand`,"aria-label":`Tideline, home`,children:[(0,U.jsx)(ee,{}),(0,U.jsx)(`span`,{children:`Tideline`})]}),(0,U.jsx)(`nav`,{className:`ways`,"aria-label":`Main`,children:l.map(e=>(0,U.jsxs)(P,{href:e.href,className:`way`,"aria-current":e.here?`page`:void 0,children:[(0,U.jsx)(E,{name:e.icon,filled:!1}),(0,U.jsx)(`span`,{children:e.label}),e.name===`home`&&o&&(0,U.jsx)(`span`,{className:`dot`,children:(0,U.jsx)(`span`,{className:`hidden`,children:`, new posts`})})]},e.name))}),t.user?(0,U.jsxs)(`button`,{type:`button`,className:`button button-primary side-compose`,onClick:()=>n({text:``}),children:[(0,U.jsx)(E,{name:`compose`}),` `,(0,U.jsx)(`span`,{children:`New post`})]}):(0,U.jsxs)(P,{href:`/`,className:`button button-primary side-compose`,children:[(0,U.jsx)(E,{name:`key`}),` `,(0,U.jsx)(`span`,{children:`Sign in`})]})]})}var br=0,xr=[],Sr=[];function $(e){let t=null,n=!1,r=async()=>{let t=br;try{return await e()}catch{if(t!==br)return r();throw n=!0,new f(`UNREACHABLE`,`the page cannot be loaded`)}},i=()=>t??=r();return xr.push(()=>{n&&=(t=null,!1)}),Sr.push(()=>void i().catch(()=>void 0)),function(e){let t=(0,R.use)(i()).default;return(0,U.jsx)(t,{...e})}}var Cr=$(()=>H(()=>import(`./client-ProfilePage-257381a7.js`),__vite__mapDeps([0,1,2,3,4,5]))),wr=$(()=>H(()=>import(`./client-SearchPage-c13ea1a8.js`),__vite__mapDeps([6,1,2,5,3]))),Tr=$(()=>H(()=>import(`./client-LivePage-84ab1b02.js`),__vite__mapDeps([7,1,2,4]))),Er=$(()=>H(()=>import(`./client-SettingsPage-d0da2262.js`),__vite__mapDeps([8,1,2,3])));function Dr(){br++;for(let e of xr)e()}function Or(){for(let e of Sr)e()}function kr(){let{reachable:e,limitedUntil:t}=y(T().status);return(0,U.jsxs)(`div`,{className:`status-place`,role:`status`,children:[!e&&(0,U.jsxs)(`p`,{className:`status-bar`,children:[(0,U.jsx)(E,{name:`offline`}),` `,navigator.onLine?`The server does not answer.`:`You are offline.`,` What you see may be old.`]}),e&&t>0&&(0,U.jsx)(Ar,{until:t})]})}function Ar({until:e}){let t=Math.ceil((e-ie(`second`))/1e3);return t<=0?null:(0,U.jsxs)(`p`,{className:`status-bar`,children:[(0,U.jsx)(E,{name:`clock`}),` The server asks for a pause of `,t,` s.`]})}var jr=new Set([`home`,`profile`,`post`]);function Mr(){let e=y(A),{session:t}=L(),{compose:n}=u(),r=le(e.path,e.search),i=Fr(e),a=r.name===`home`&&(!t.user||te(e.search,location.href)!==null);return(0,U.jsxs)(`div`,{className:a?`shell shell-welcome`:`shell`,children:[(0,U.jsx)(`a`,{className:`skip`,href:`#main`,children:`Skip to the page`}),(0,U.jsx)(kr,{}),!a&&(0,U.jsx)(yr,{route:r}),(0,U.jsx)(`main`,{id:`main`,ref:i,tabIndex:-1,children:(0,U.jsx)(S,{onRetry:Dr,children:t=>(0,U.jsx)(R.Suspense,{fallback:(0,U.jsx)(v,{label:`Loading the page`}),children:a?(0,U.jsx)(ir,{}):(0,U.jsx)(Nr,{route:r,attempt:t},e.key)})},e.path)}),!a&&(0,U.jsx)(_r,{route:r}),!a&&t.user&&jr.has(r.name)&&(0,U.jsx)(`button`,{type:`button`,className:`compose-button`,"aria-label":`Write a post`,onClick:()=>n({text:``}),children:(0,U.jsx)(E,{name:`compose`})})]})}function Nr({route:e,attempt:t}){switch(e.name){case`home`:return(0,U.jsx)(Zn,{attempt:t});case`profile`:return(0,U.jsx)(Cr,{handle:e.handle,tab:e.tab,attempt:t});case`post`:return(0,U.jsx)(nr,{id:e.id,attempt:t});case`live`:return(0,U.jsx)(Pr,{what:`live sessions`,children:(0,U.jsx)(Tr,{attempt:t})});case`search`:return(0,U.jsx)(wr,{query:e.query});case`settings`:return(0,U.jsx)(Er,{attempt:t});case`lost`:return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(F,{title:`Nothing here`}),(0,U.jsx)(c,{icon:`search`,title:`There is no such page`,children:(0,U.jsx)(P,{className:`button`,href:`/`,children:`Go home`})})]})}}function Pr({what:e,children:t}){let{session:n,expired:r}=L();return n.user?t:(0,U.jsxs)(c,{icon:`key`,title:r?`Your sign-in has expired`:`Sign in first`,children:[(0,U.jsxs)(`p`,{children:[`The `,e,` of people you follow are shown to you alone.`]}),(0,U.jsx)(P,{className:`button button-primary`,href:`/`,children:`Sign in`})]})}function Fr(e){let t=(0,R.useRef)(null),n=(0,R.useRef)(!0);return(0,R.useEffect)(()=>{n.current?n.current=!1:e.returned||(scrollTo({top:0,behavior:`instant`}),t.current?.contains(document.activeElement)||t.current?.focus({preventScroll:!0}))},[e.key,e.returned]),t}function Ir({connection:e}){let[t,n]=(0,R.useState)(null),[r,i]=(0,R.useState)(null),[a,o]=(0,R.useState)(!1),s=(0,R.useCallback)(e=>{de().then(t=>{i(null),n(t),o(e&&!t.user)},e=>i(e))},[]),c=(0,R.useCallback)(()=>s(!1),[s]);(0,R.useEffect)(c,[c]);let l=(0,R.useMemo)(()=>t&&{session:t,expired:a,change:e=>{o(!1),n(e)}},[t,a]);return(0,U.jsx)(w,{value:e,children:(0,U.jsxs)(ce,{children:[r!==null&&!l&&(0,U.jsx)(`main`,{className:`lone`,children:(0,U.jsx)(ae,{error:r,retry:c})}),r===null&&!l&&(0,U.jsx)(`main`,{className:`lone`,children:(0,U.jsx)(v,{label:`Loading Tideline`})}),l&&(0,U.jsx)(fe,{value:l,children:(0,U.jsx)(Lr,{connection:e,user:l.session.user?.id??null,signedOut:()=>s(l.session.user!==null)},l.session.user?.id??``)})]})})}function Lr({connection:e,user:t,signedOut:n}){let[{environment:r,news:i}]=(0,R.useState)(()=>{let r=new Fe(`/graphql`),i=ke(e,r,{known:t!==null,signedOut:n});return{environment:i,news:t===null?null:new Se(i,r)}});return(0,R.useEffect)(()=>i?.start(),[i]),(0,U.jsx)(z.RelayEnvironmentProvider,{environment:r,children:(0,U.jsx)(C,{value:i,children:(0,U.jsx)(Mt,{children:(0,U.jsx)(Mr,{})})})})}var Rr=[`system`,`light`,`dark`],zr=`tideline-theme`;function Br(){let e=localStorage.getItem(zr);return Rr.find(t=>t===e)??`system`}function Vr(e){e===`system`?(localStorage.removeItem(zr),delete document.documentElement.dataset.theme):(localStorage.setItem(zr,e),document.documentElement.dataset.theme=e)}var Hr=1e3,Ur=3e4,Wr=class{healthUrl;status=D({reachable:!0,limitedUntil:0});#e;#t=Hr;#n=0;constructor(e){this.healthUrl=e,addEventListener(`offline`,()=>this.lost()),addEventListener(`online`,()=>void this.#i()),navigator.onLine||this.lost()}asked(){let e=this.#n;return()=>{e===this.#n&&this.#r()}}#r(){clearTimeout(this.#e),this.#e=void 0,this.#t=Hr,this.status.get().reachable||this.status.set({...this.status.get(),reachable:!0})}lost(){this.status.get().reachable&&(this.#n++,this.status.set({...this.status.get(),reachable:!1})),this.#e??=setTimeout(()=>void this.#i(),this.#t)}limited(e){this.status.set({...this.status.get(),limitedUntil:Date.now()+Math.max(1,e)*1e3})}async#i(){clearTimeout(this.#e),this.#e=void 0;let e=this.asked();try{await fetch(this.healthUrl,{cache:`no-store`}),e()}catch{this.#t=Math.min(this.#t*2,Ur),this.lost()}}},Gr=2e3;Vr(Br()),ne();var Kr=document.getElementById(`client`),qr=e=>{e instanceof f||console.error(e)},Jr=new Wr(`/healthz`);Jr.status.subscribe(()=>{Jr.status.get().reachable&&(Dr(),Or())}),Kr&&(0,pe.createRoot)(Kr,{onCaughtError:qr}).render((0,U.jsx)(Ir,{connection:Jr})),setTimeout(Or,Gr);export{cr as a,jn as c,qe as d,W as f,fr as i,Q as l,Vr as n,rr as o,Br as r,Vn as s,Rr as t,jt as u};