const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["client-ProfilePage-ebc8b604.js","client-libraries-df66e8dc.js","client-PageHead-31b1a8c5.js","client-PersonRow-4740380a.js","client-LiveList-c11c7f8a.js","client-pages-44ae3814.js","client-PeopleList-49ee8312.js","client-SearchPage-3cc04e34.js","client-LivePage-9fba219f.js","client-SettingsPage-4a228f83.js"])))=>i.map(i=>d[i]);
import{a as e,i as t,n,r,t as i}from"./client-libraries-df66e8dc.js";import{$ as a,A as o,B as s,C as c,D as l,E as u,F as d,H as f,I as p,J as m,L as h,M as g,N as _,P as v,Q as y,R as b,S as x,T as S,U as C,V as w,W as T,X as E,Z as ee,_ as te,a as D,at as O,b as ne,c as re,d as k,et as ie,g as ae,h as oe,i as A,it as j,j as M,k as N,l as se,m as ce,nt as P,o as le,p as F,r as ue,rt as de,s as I,t as fe,tt as pe,u as L,v as R,w as me,x as he,z as ge}from"./client-PageHead-31b1a8c5.js";var z=e(),_e=t(),B=n(),V=r(),ve=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`since`}],t=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:[{kind:`Literal`,name:`first`,value:0}],concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:[{kind:`Variable`,name:`since`,variableName:`since`}],kind:`ScalarField`,name:`newCount`,storageKey:null}],storageKey:`homeFeed(first:0)`}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`newsCountQuery`,selections:t,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`newsCountQuery`,selections:t},params:{cacheID:`0954bfc113187bf34c3c449b98d24d4d`,id:null,metadata:{},name:`newsCountQuery`,operationKind:`query`,text:`query newsCountQuery(
  $since: String!
) {
  viewer {
    homeFeed(first: 0) {
      newCount(since: $since)
    }
  }
}
`}}})();ve.hash=`a42fbd497a2b580fcae75f7fa785b0ca`;var ye=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null};return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`newsHomeFeedSubscription`,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`homeFeedEdges`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,n,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,i],storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null}],type:`Subscription`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`newsHomeFeedSubscription`,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`homeFeedEdges`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,n,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,i,t,a,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[t,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[a,i,t],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[t,o,s,r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,a,i,t],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],storageKey:null}],storageKey:null}]},params:{cacheID:`773895801eef3fa4f3ba64057a795174`,id:null,metadata:{},name:`newsHomeFeedSubscription`,operationKind:`subscription`,text:`subscription newsHomeFeedSubscription {
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
`}}})();ye.hash=`80bff645903e39c35555cd0294d3b982`;function be(e,t=Math.random()){let n=Math.min(3e4,500*2**Math.min(e,10));return n/2+n/2*t}function xe(e,t){if(e.publishedAt!==t.publishedAt)return e.publishedAt>t.publishedAt?-1:1;let[n,r]=[e.databaseId,t.databaseId];return n.length===r.length?n===r?0:n>r?-1:1:n.length>r.length?-1:1}function Se(e,t,n){if(t.some(t=>t.id===e.id))return`shown`;let r=t.findIndex(e=>e.cursor!==null&&e.cursor===n),i=t[Math.max(r,0)];if(!i||xe(e,i)<0)return`above`;let a=t.slice(Math.max(r,0)).find(t=>t.cursor!==null&&xe(e,t)<0);return a?.cursor?{before:a.cursor}:`below`}function Ce(e,t){return Math.max(e,t)}var we={posts:[],counted:0},Te=1e3,Ee=class{environment;socket;state=j(we);#e=null;#t=null;#n=new Set;#r=0;constructor(e,t){this.environment=e,this.socket=t}start(){return this.socket.onOpen=()=>this.#s(Te,()=>void this.count()),this.#i(),()=>{this.#t?.dispose(),this.#t=null;for(let e of this.#n)clearTimeout(e);this.socket.close()}}setTop(e){e!==this.#e&&(this.#e=e,this.state.set({...this.state.get(),counted:0}))}announced(){return this.state.get().posts.map(e=>e.id)}read(e){this.settle(new Set(e)),this.state.set({...this.state.get(),counted:0})}settle(e){let{posts:t,counted:n}=this.state.get();this.state.set({posts:t.filter(t=>!e.has(t.id)),counted:n})}async count(){let e=this.#e;if(e===null)return;let t=(await(0,V.fetchQuery)(this.environment,ve,{since:e},{fetchPolicy:`network-only`}).toPromise().catch(()=>null))?.viewer?.homeFeed.newCount;t!==void 0&&e===this.#e&&this.state.set({...this.state.get(),counted:t})}#i(){this.#t=(0,V.requestSubscription)(this.environment,{subscription:ye,variables:{},onNext:e=>e&&this.#a({...e.homeFeedEdges.node,cursor:e.homeFeedEdges.cursor}),onError:()=>this.#o(),onCompleted:()=>this.#o()})}#a(e){this.#r=0;let{posts:t,counted:n}=this.state.get();t.some(t=>t.id===e.id)||this.state.set({posts:[...t,e].slice(-100),counted:t.length<100?n&&Math.min(n+1,100):100})}#o(){this.#s(be(this.#r++),()=>{this.#t?.dispose(),this.#i(),this.#s(Te,()=>void this.count())})}#s(e,t){let n=setTimeout(()=>{this.#n.delete(n),t()},e);this.#n.add(n)}},De=2,Oe=e=>new Promise(t=>setTimeout(t,e));function ke(e,t,n,r){let i=async(n,i)=>{let a=t.status.get().limitedUntil-Date.now();if(a>0)throw new h(`RATE_LIMITED`,`the server asked for a pause`,null,Math.ceil(a/1e3));let o=t.asked(),s=await je(e,{query:n.text,variables:i}).catch(()=>null);if(!s)throw t.lost(),new h(`UNREACHABLE`,`the server does not answer`);o();let c=await s.json().catch(()=>null),l=ge(s.status,c,e=>s.headers.get(e))??Ae(c,r);if(!l)return c;throw l.code===`RATE_LIMITED`&&t.limited(l.retryAfter),l.code===`UNAUTHENTICATED`&&r.signedOut(),l};return V.Network.create(async(e,t)=>{for(let n=0;;n++)try{return await i(e,t)}catch(t){if(!(e.operationKind===`query`&&t instanceof h&&t.code===`UNAVAILABLE`)||n===De)throw t;await Oe(Math.max(be(n),t.retryAfter*1e3))}},(e,t)=>V.Observable.create(i=>n.subscribe({query:e.text??``,variables:t},{next:i.next,complete:i.complete,error(e){e instanceof h&&e.code===`UNAUTHENTICATED`&&r.signedOut(),i.error(e)}})))}function Ae(e,t){let n=e.data;return!t.known||n?.viewer!==null?null:new h(`UNAUTHENTICATED`,`the session is over`)}function je(e,t){return fetch(e,{method:`POST`,headers:{"Content-Type":`application/json`,Accept:`application/graphql-response+json, application/json;q=0.5`},body:JSON.stringify(t)})}var Me=20;function Ne(e,t,n){return new V.Environment({network:ke(`/graphql`,e,t,n),store:new V.Store(new V.RecordSource,{gcReleaseBufferSize:Me})})}var Pe=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),Fe=function(e){return`/assets/`+e},Ie={},Le=function(e){return e.pathname.endsWith(`.css`)},Re=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},H=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=Fe(t,n);let r=s(t),i=Le(r);return Re(Ie,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:Pe,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},ze=class{endpoint;onOpen=()=>void 0;#e=null;#t=0;constructor(e){this.endpoint=e}subscribe(e,t){let n=!1,r=()=>void 0;return this.#n().then(i=>{n||(r=i.subscribe(e,Be(t)))},e=>t.error(e)),()=>{n=!0,r()}}close(){this.#e?.then(e=>e.dispose()).catch(()=>void 0)}#n(){return this.#e??=H(async()=>{let{createClient:e}=await import(`./client-dist-22dc98f1.js`);return{createClient:e}},[]).then(({createClient:e})=>e({url:new URL(this.endpoint,location.href.replace(/^http/,`ws`)).href,keepAlive:2e4,retryAttempts:1/0,shouldRetry:()=>!0,retryWait:()=>new Promise(e=>setTimeout(e,be(this.#t++))),onNonLazyError:()=>void 0,on:{connected:()=>{this.#t=0,this.onOpen()}}})),this.#e}};function Be(e){return{next(t){let n=t.errors?.[0];n?e.error(new h(String(n.extensions?.code??`INTERNAL`),n.message)):e.next(t)},error:()=>e.error(new h(`UNAVAILABLE`,`the subscription has ended`)),complete:()=>e.complete()}}var Ve=(function(){var e=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`DeskProviderQuery`,selections:e,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[],kind:`Operation`,name:`DeskProviderQuery`,selections:e},params:{cacheID:`8fb00b43f0cae9ad702976b68b983e5f`,id:null,metadata:{},name:`DeskProviderQuery`,operationKind:`query`,text:`query DeskProviderQuery {
  viewer {
    user {
      id
      databaseId
      handle
      name
    }
  }
}
`}}})();Ve.hash=`e442c5ea5fac26821581523baf9c1f37`;var U=i();function W({title:e,onClose:t,children:n}){let r=(0,z.useRef)(null),i=(0,z.useId)();return(0,z.useLayoutEffect)(()=>{let e=r.current;return e?.showModal(),()=>e?.close()},[]),(0,U.jsx)(`dialog`,{ref:r,className:`dialog`,"aria-labelledby":i,onClose:t,onClick:e=>e.target===r.current&&t(),children:(0,U.jsxs)(`div`,{className:`dialog-body`,children:[(0,U.jsxs)(`header`,{className:`dialog-head`,children:[(0,U.jsx)(`h2`,{id:i,children:e}),(0,U.jsx)(`button`,{type:`button`,className:`icon-button`,"aria-label":T.dialog.close,onClick:t,children:(0,U.jsx)(E,{name:`close`})})]}),n]})})}function He(e){return(0,U.jsxs)(W,{title:e.title,onClose:e.onClose,children:[(0,U.jsx)(`p`,{children:e.text}),(0,U.jsxs)(`div`,{className:`dialog-foot`,children:[(0,U.jsx)(`button`,{type:`button`,className:`button`,onClick:e.onClose,children:T.dialog.cancel}),(0,U.jsx)(`button`,{type:`button`,className:`button button-danger`,onClick:()=>{e.onClose(),e.onYes()},children:e.yes})]})]})}var Ue=`tideline-draft `,We=new Set;function Ge(e,{replyTo:t,repostOf:n}){return`${Ue}${e} ${t?`reply ${t}`:n?`repost ${n}`:`post`}`}function G(e){let t=sessionStorage.getItem(e);return t?JSON.parse(t):{text:``}}function K(e,t){t.text||t.sent?sessionStorage.setItem(e,JSON.stringify(t)):sessionStorage.removeItem(e);for(let e of[...We])e()}function Ke(e){return[(0,z.useSyncExternalStore)(qe,()=>G(e).text),(0,z.useCallback)(t=>K(e,{...G(e),text:t}),[e])]}function qe(e){return We.add(e),()=>We.delete(e)}function Je(e,t,n){let{sent:r}=G(e),i=r?.text===t?r.key:n();return K(e,{text:``,sent:{text:t,key:i}}),i}function Ye(e,t){let n=G(e);K(e,{...n,text:n.text||t})}function Xe(e,t){let n=G(e);K(e,{text:n.text===t?``:n.text})}function Ze(){for(let e of Object.keys(sessionStorage))e.startsWith(Ue)&&sessionStorage.removeItem(e)}var Qe=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{kind:`Variable`,name:`input`,variableName:`input`}],n={alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{args:null,kind:`FragmentSpread`,name:`PostCard_post`}],storageKey:null}],storageKey:null},i],storageKey:null}],type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`publishMutation`,selections:[{alias:null,args:t,concreteType:`PublishPostPayload`,kind:`LinkedField`,name:`publishPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`feedEdge`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],storageKey:null}],storageKey:null},i],storageKey:null}]},params:{cacheID:`dd42d8db0226a61bceabc188dd86bbca`,id:null,metadata:{},name:`publishMutation`,operationKind:`mutation`,text:`mutation publishMutation(
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
`}}})();Qe.hash=`233b0928672ca761592dd224964a63c7`;var $e=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`likePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsLikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsLikeMutation`,selections:t},params:{cacheID:`5f5c16897aa502258d9192176fa5470e`,id:null,metadata:{},name:`PostMutationsLikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsLikeMutation(
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
`}}})();$e.hash=`dc5beafaa3a494073eed664b4213b5bb`;var et=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unlikePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnlikeMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnlikeMutation`,selections:t},params:{cacheID:`a451dbb9d5cac0527fe1a56f120c37ed`,id:null,metadata:{},name:`PostMutationsUnlikeMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnlikeMutation(
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
`}}})();et.hash=`4acf0800e979777a9d20699309ed48bf`;var tt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`favoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsFavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsFavoriteMutation`,selections:t},params:{cacheID:`cf604bd18f55b96dd44381b269b047b1`,id:null,metadata:{},name:`PostMutationsFavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsFavoriteMutation(
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
`}}})();tt.hash=`070dafa5c59f9ca7ef1744a7e0dc4ca6`;var nt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`PostPayload`,kind:`LinkedField`,name:`unfavoritePost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsUnfavoriteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsUnfavoriteMutation`,selections:t},params:{cacheID:`c7aac1c2d4db3acc4a72d6baca54d838`,id:null,metadata:{},name:`PostMutationsUnfavoriteMutation`,operationKind:`mutation`,text:`mutation PostMutationsUnfavoriteMutation(
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
`}}})();nt.hash=`79b49cf83f57b17e19a1f90a4a940357`;var rt=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`EditPostPayload`,kind:`LinkedField`,name:`editPost`,plural:!1,selections:[{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`post`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsEditMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsEditMutation`,selections:t},params:{cacheID:`973476de504462afe3e18d27c943e77e`,id:null,metadata:{},name:`PostMutationsEditMutation`,operationKind:`mutation`,text:`mutation PostMutationsEditMutation(
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
`}}})();rt.hash=`e41a65eaca77822e4fc92c92b519c950`;var it=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:null,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`DeletePostPayload`,kind:`LinkedField`,name:`deletePost`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`deletedPostId`,storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostMutationsDeleteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostMutationsDeleteMutation`,selections:t},params:{cacheID:`850bb52c5c5cf07c4e6fce9ad4d87db2`,id:null,metadata:{},name:`PostMutationsDeleteMutation`,operationKind:`mutation`,text:`mutation PostMutationsDeleteMutation(
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
`}}})();it.hash=`6fb8a99b0ebfdf8dd05ff0326a094bbc`;var at=$e,ot=et;function st({id:e,viewerHasLiked:t,counters:n}){let r=!t,i={id:e,viewerHasLiked:r,counters:{likes:n.likes+(r?1:-1)}};return{mutation:r?at:ot,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}var ct=tt,lt=nt;function ut({id:e,viewerHasFavorited:t,counters:n}){let r=!t,i={id:e,viewerHasFavorited:r,counters:{favorites:n.favorites+(r?1:-1)}};return{mutation:r?ct:lt,variables:{input:{postId:e}},optimisticResponse:{payload:{post:i,userErrors:[]}}}}function dt(e,t,n){return{mutation:rt,variables:{input:{postId:e,text:t}},optimisticResponse:{editPost:{post:{id:e,text:t,editedAt:n},userErrors:[]}}}}function ft(e){let t=t=>{t.delete(e.id),e.replyTo&&q(t,e.replyTo,`comments`,-1),e.repostOf&&q(t,e.repostOf,`reposts`,-1)};return{mutation:it,variables:{input:{postId:e.id}},optimisticUpdater:t,updater:t}}function q(e,t,n,r){let i=e.get(t)?.getLinkedRecord(`counters`),a=i?.getValue(n);typeof a==`number`&&i?.setValue(Math.max(0,a+r),n)}var pt=`HomeTimeline_homeFeed`;function J(e){let t=e.get(V.ROOT_ID)?.getLinkedRecord(`viewer`);return t?V.ConnectionHandler.getConnection(t,pt):void 0}var mt=Qe;function ht(e,t,n){return{mutation:mt,variables:{input:{...e,idempotencyKey:t}},optimisticUpdater:r=>{let i=n?r.get(n):null;i&&vt(r,_t(r,e,t,i),null,e,i)},updater:t=>{let r=t.getRootField(`publishPost`)?.getLinkedRecord(`feedEdge`),i=r?.getLinkedRecord(`node`),a=r?.getValue(`cursor`);i&&vt(t,i,typeof a==`string`?a:null,e,n?t.get(n)??null:null)}}}var gt=e=>e.startsWith(`pending:`);function _t(e,t,n,r){let i=e.create(`pending:${n}`,`Post`),a=e.create(`pending:${n}:counters`,`PostCounters`);for(let e of[`likes`,`comments`,`reposts`,`favorites`])a.setValue(0,e);let o={id:`pending:${n}`,databaseId:`0`,kind:yt(t),text:t.text,media:[],publishedAt:new Date().toISOString(),editedAt:null,viewerHasLiked:!1,viewerHasFavorited:!1};for(let[e,t]of Object.entries(o))i.setValue(t,e);i.setLinkedRecord(r,`author`),i.setLinkedRecord(a,`counters`);for(let n of[`replyTo`,`repostOf`]){let r=t[n]?e.get(t[n]):null;r?i.setLinkedRecord(r,n):i.setValue(null,n)}return i}function vt(e,t,n,r,i){let a=r.replyTo?e.get(r.replyTo):null,o=[J(e),i&&V.ConnectionHandler.getConnection(i,`ProfilePosts_posts`),a&&V.ConnectionHandler.getConnection(a,`PostComments_comments`)];for(let r of o){if(!r)continue;let i=V.ConnectionHandler.createEdge(e,r,t,`FeedEdge`);i.setValue(r===o[0]?n:null,`cursor`),V.ConnectionHandler.insertEdgeBefore(r,i)}r.replyTo&&q(e,r.replyTo,`comments`,1),r.repostOf&&q(e,r.repostOf,`reposts`,1)}function yt(e){return e.replyTo?`COMMENT`:e.repostOf?`REPOST`:`POST`}function bt(){return[...crypto.getRandomValues(new Uint8Array(16))].map(e=>e.toString(16).padStart(2,`0`)).join(``)}var xt=5e3,St=200;function Ct({label:e,value:t,placeholder:n,autoFocus:r=!1,onChange:i,onSend:a}){let o=(0,z.useRef)(null),s=(0,z.useId)();(0,z.useEffect)(()=>{let e=o.current;e&&(e.style.height=`auto`,e.style.height=`${e.scrollHeight}px`)},[t]),(0,z.useEffect)(()=>{let e=o.current;r&&e&&(e.focus(),e.setSelectionRange(e.value.length,e.value.length))},[r]);let c=xt-he(t);return(0,U.jsxs)(`div`,{className:`text-field`,children:[(0,U.jsx)(`textarea`,{ref:o,rows:1,dir:`auto`,"aria-label":e,"aria-describedby":s,"aria-invalid":c<0,placeholder:n,value:t,onChange:e=>i(e.target.value),onKeyDown:e=>{e.key===`Enter`&&(e.ctrlKey||e.metaKey)&&(e.preventDefault(),a())}}),(0,U.jsx)(`span`,{id:s,className:c<0?`left left-over`:`left`,role:`status`,children:c<0?T.composer.over(-c):c<=St?T.composer.left(c):``})]})}function wt({draft:e,autoFocus:t=!1,onSent:n}){let{session:r}=N(),i=Ge(r.user?.id??``,e),[a,o]=Ke(i),{account:s}=P(),c=F(),l=he(a)<=5e3&&(a.trim()!==``||e.repostOf!==void 0),u=Tt(e),d=async()=>{if(!l)return;let t=Je(i,a,bt),{about:r,...o}=e;n?.(),await c(ht({...o,text:a},t,s?.id??null),T.composer.failed,()=>Xe(i,a))||Ye(i,a)};return(0,U.jsxs)(`form`,{className:`composer`,"aria-label":u.label,onSubmit:e=>{e.preventDefault(),d()},children:[s?(0,U.jsx)(R,{user:s}):(0,U.jsx)(`span`,{className:`avatar`}),(0,U.jsxs)(`div`,{className:`composer-main`,children:[e.about&&(0,U.jsxs)(`blockquote`,{className:`quoted`,children:[(0,U.jsxs)(`p`,{className:`post-by`,children:[(0,U.jsx)(`strong`,{dir:`auto`,children:e.about.name}),` `,(0,U.jsxs)(`span`,{className:`post-handle`,children:[`@`,e.about.handle]})]}),(0,U.jsx)(`p`,{className:`post-text composer-about`,dir:`auto`,children:e.about.text})]}),(0,U.jsx)(Ct,{label:u.label,placeholder:u.placeholder,value:a,onChange:o,onSend:()=>void d(),autoFocus:t}),(0,U.jsxs)(`div`,{className:`composer-foot`,children:[(0,U.jsx)(`small`,{className:`composer-hint`,children:T.composer.hint}),(0,U.jsx)(`button`,{type:`submit`,className:`button button-primary`,"aria-disabled":!l,children:u.button})]})]})]})}function Tt(e){let{post:t,reply:n,quote:r}=T.composer;return e.replyTo?n:e.repostOf?r:t}function Et(){let{session:e,expired:t,change:n}=N(),[r,i]=(0,z.useState)(``),[a,o]=(0,z.useState)(!1),s=S(location.search,location.href),c=async e=>{if(!a){o(!0),i(``);try{let t=await l(e);s&&t.admin?location.assign(s):n(t)}catch(e){i(Dt(e)),o(!1)}}};return(0,U.jsxs)(`section`,{className:`sign-in`,"aria-labelledby":`sign-in-title`,"aria-busy":a,children:[(0,U.jsx)(`h2`,{id:`sign-in-title`,children:T.signIn.title}),t&&(0,U.jsxs)(`p`,{className:`note`,role:`status`,children:[T.signIn.expired,` `,T.signIn.expiredHint]}),s&&(0,U.jsx)(`p`,{className:`note`,role:`status`,children:Ot(new URL(s,location.href).pathname,e)}),r&&(0,U.jsx)(`p`,{className:`note note-bad`,role:`alert`,children:r}),e.demoUsers.length>0&&(0,U.jsx)(kt,{users:e.demoUsers,onChoose:e=>void c({demoUserId:e})}),e.demoLink&&(0,U.jsx)(`p`,{className:`note`,children:T.signIn.demoLink}),(0,U.jsx)(At,{onToken:e=>void c({token:e})})]})}function Dt(e){return e instanceof h&&e.code!==`UNREACHABLE`?T.signIn.failed(w(e.message)):T.signIn.failed(s(b(e)))}function Ot(e,{user:t}){return t?T.signIn.notAdmin(e,t.handle):T.signIn.adminsOnly(e)}function kt({users:e,onChoose:t}){return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`h3`,{id:`demo-title`,children:T.signIn.demoTitle}),(0,U.jsx)(`p`,{className:`hint`,children:T.signIn.demoHint}),(0,U.jsx)(`ul`,{className:`demo-users`,"aria-labelledby":`demo-title`,children:e.map(e=>(0,U.jsx)(`li`,{children:(0,U.jsxs)(`button`,{type:`button`,className:`demo-user`,onClick:()=>t(e.id),children:[(0,U.jsx)(R,{user:{databaseId:e.id,name:e.name||e.handle}}),(0,U.jsxs)(`span`,{className:`person-words`,children:[(0,U.jsx)(`strong`,{children:e.name||e.handle}),` `,(0,U.jsxs)(`span`,{children:[`@`,e.handle]})]})]})},e.id))})]})}function At({onToken:e}){let t=(0,z.useRef)(null);return(0,U.jsxs)(`form`,{className:`token-form`,onSubmit:n=>{n.preventDefault();let r=t.current?.value.trim();r&&e(r)},children:[(0,U.jsx)(`h3`,{children:(0,U.jsx)(`label`,{htmlFor:`token`,children:T.signIn.tokenTitle})}),(0,U.jsx)(`p`,{className:`hint`,id:`token-hint`,children:T.signIn.tokenHint}),(0,U.jsxs)(`div`,{className:`token-row`,children:[(0,U.jsx)(E,{name:`key`}),(0,U.jsx)(`input`,{ref:t,id:`token`,type:`password`,autoComplete:`off`,autoCapitalize:`off`,spellCheck:!1,required:!0,"aria-describedby":`token-hint`}),(0,U.jsx)(`button`,{type:`submit`,className:`button button-primary`,children:T.signIn.submit})]})]})}function jt(){return(0,U.jsx)(`dl`,{className:`keys`,children:T.shortcuts.keys.map(([e,t])=>(0,U.jsxs)(`div`,{children:[(0,U.jsx)(`dt`,{children:(0,U.jsx)(`kbd`,{children:e})}),(0,U.jsx)(`dd`,{children:t})]},e))})}function Mt(e){if(e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey||document.querySelector(`dialog[open]`))return!1;let t=e.target;return t.closest(`dialog:not([open])`)!==null||!t.closest(`input, textarea, select, [contenteditable], [role=menu]`)}function Y(e,t){let n=(0,z.useRef)(t);(0,z.useEffect)(()=>{n.current=t}),(0,z.useEffect)(()=>{let t=t=>{t.key===e&&Mt(t)&&(t.preventDefault(),n.current())};return addEventListener(`keydown`,t),()=>removeEventListener(`keydown`,t)},[e])}function Nt(){return document.activeElement?.closest(`article[data-post]`)??null}function Pt({children:e}){let[t,n]=(0,z.useState)(null),{session:r}=N(),i=Lt(r.user!==null),o=r.user!==null,s=(0,z.useCallback)(e=>n(t=>({...e,turn:(t?.turn??0)+1})),[]),c=(0,z.useMemo)(()=>{let e=e=>o?e():s({dialog:`sign-in`});return{signedIn:e,account:i,compose:t=>e(()=>s({dialog:`compose`,draft:t}))}},[o,i,s]),l=()=>n(e=>e?.turn===t?.turn?null:e);return It(c,()=>s({dialog:`help`})),(0,U.jsxs)(a,{value:c,children:[e,t?.dialog===`compose`&&(0,U.jsx)(W,{title:Ft(t.draft),onClose:l,children:(0,U.jsx)(wt,{draft:t.draft,autoFocus:!0,onSent:l})},t.turn),t?.dialog===`sign-in`&&(0,U.jsx)(W,{title:T.signIn.needed,onClose:l,children:(0,U.jsx)(Et,{})},t.turn),t?.dialog===`help`&&(0,U.jsx)(W,{title:T.shortcuts.title,onClose:l,children:(0,U.jsx)(jt,{})},t.turn)]})}function Ft(e){let{titles:t}=T.composer;return e.replyTo?t.reply:e.repostOf?t.quote:t.post}function It(e,t){let n=e=>Nt()?.querySelector(`[data-action=${e}]`)?.click();Y(`n`,()=>e.compose({text:``})),Y(`r`,()=>n(`reply`)),Y(`l`,()=>n(`like`)),Y(`f`,()=>n(`favorite`)),Y(`/`,()=>L(`/search`)),Y(`h`,()=>L(`/`)),Y(`?`,t)}function Lt(e){let t=(0,B.useRelayEnvironment)(),[n,r]=(0,z.useState)(null);return(0,z.useEffect)(()=>{if(!e)return;let{unsubscribe:n}=(0,B.fetchQuery)(t,Ve,{}).subscribe({next:e=>r(e?.viewer?.user??null),error:()=>void 0});return n},[t,e]),n}var X=`tideline-home`,Rt=zt();function zt(){let e=sessionStorage.getItem(X);return sessionStorage.removeItem(X),e?JSON.parse(e):null}function Bt(e,t){t===null?sessionStorage.removeItem(X):sessionStorage.setItem(X,JSON.stringify({place:e,after:t}))}function Vt(e){return Rt?.place===e?Rt.after:null}var Ht=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],t=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`before`,variableName:`before`},{kind:`Variable`,name:`first`,variableName:`first`},{kind:`Variable`,name:`last`,variableName:`last`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},r={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:t,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`HomeTimelinePageQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:t,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[n,r,i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[n,r,s,c,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[n,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[s,c,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[n,a,o,i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,s,c,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:t,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`5ac7c32d2e341d4d42c9aeafd3146fb5`,id:null,metadata:{},name:`HomeTimelinePageQuery`,operationKind:`query`,text:`query HomeTimelinePageQuery(
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
`}}})();Ht.hash=`9634f1656418834cc9e489a74e53f0b0`;var Ut=(function(){var e=[`homeFeed`];return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`before`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`last`}],kind:`Fragment`,metadata:{connection:[{count:null,cursor:null,direction:`bidirectional`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:{count:`last`,cursor:`before`},path:e},fragmentPathInResult:[`viewer`],operation:Ht}},name:`HomeTimeline_viewer`,selections:[{alias:`homeFeed`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__HomeTimeline_homeFeed_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null}],type:`Viewer`,abstractKey:null}})();Ut.hash=`9634f1656418834cc9e489a74e53f0b0`;var Wt=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`after`},t={defaultValue:null,kind:`LocalArgument`,name:`first`},n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`HomeTimeline_viewer`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`homeQuery`,selections:[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`homeFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,a,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,i,c,l,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,o,s,a,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,c,l,r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`startCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasPreviousPage`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`HomeTimeline_homeFeed`,kind:`LinkedHandle`,name:`homeFeed`}],storageKey:null}]},params:{cacheID:`e686395c0321fc681f45bd00985b1d5e`,id:null,metadata:{},name:`homeQuery`,operationKind:`query`,text:`query homeQuery(
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
`}}})();Wt.hash=`0aef914fe6768d6b3d0a9aee888e75ca`;var Gt=Wt,Kt=3;function qt({count:e,authors:t,busy:n,onClick:r}){(0,z.useEffect)(()=>{document.title=T.title(e>0?T.home.titleWithNew(e):T.navigation.home)},[e]);let i=T.home.newPosts(e,100);return(0,U.jsxs)(`div`,{className:`pill-place`,children:[(0,U.jsx)(`span`,{className:`hidden`,role:`status`,children:e>0?i:``}),e>0&&(0,U.jsxs)(`button`,{type:`button`,className:`pill`,"aria-busy":n,onClick:r,children:[(0,U.jsx)(E,{name:`up`}),t.length>0&&(0,U.jsx)(`span`,{className:`pill-faces`,"aria-hidden":`true`,children:t.slice(0,Kt).map(e=>(0,U.jsx)(R,{user:e,size:`small`},e.databaseId))}),i]})]})}function Jt(e,t,n){let r=n=>t.heights.get(e[n])??t.estimate,i=t.anchor?e.indexOf(t.anchor.key):-1,a=Math.max(i,0),o=i>=0?t.anchor.offset:0,s=a;for(let e=o;s>0&&e>-1*n;)e-=r(--s);let c=a;for(let t=o;c<e.length&&t<2*n;)t+=r(c++);let l=(e,t)=>{let n=0;for(let i=e;i<t;i++)n+=r(i);return n};return{start:s,end:c,before:l(0,s),after:l(c,e.length)}}var Yt=20,Z=new Map;function Xt(e,t,n){let r=`${e} ${t}`,i=Z.get(r)??{heights:new Map,estimate:n,anchor:null,focused:null};Z.delete(r),Z.set(r,i);for(let e of Z.keys()){if(Z.size<=Yt)break;Z.delete(e)}return i}var Zt=6;function Qt(e){let{items:t,keyOf:n,render:r,memory:i,moreAbove:a=!1,onNearTop:o,onNearEnd:s}=e,c=(0,z.useRef)(null),l=t.map(n),u=Jt(l,i,innerHeight),d=$t(c,{keys:l,range:u,memory:i,moreAbove:a});return en(e.ref,c,l,i,d),tn(c,i,e.returned??!1),(0,z.useEffect)(()=>{u.end>=l.length-Zt&&s?.(),u.start<=Zt&&o?.()}),(0,U.jsx)(`div`,{ref:c,className:`window-list`,role:`feed`,"aria-label":e.label,"aria-busy":e.busy??!1,onFocus:()=>i.focused=an(c.current)??null,style:{paddingTop:u.before,paddingBottom:u.after},children:t.slice(u.start,u.end).map((e,t)=>(0,U.jsx)(`div`,{"data-key":l[u.start+t],className:`window-item`,children:r(e,u.start+t)},l[u.start+t]))})}function $t(e,t){let[,n]=(0,z.useReducer)(e=>e+1,0),{memory:r}=t,i=(0,z.useRef)(t);return(0,z.useLayoutEffect)(()=>{i.current=t,nn(e.current,r)}),(0,z.useEffect)(()=>{let t=()=>{if(!e.current)return;let{keys:t,range:a,moreAbove:o}=i.current;r.anchor=rn(e.current,t,r,o);let s=Jt(t,r,innerHeight);(s.start!==a.start||s.end!==a.end)&&n()},a=new ResizeObserver(()=>nn(e.current,r));return e.current&&a.observe(e.current),addEventListener(`scroll`,t,{passive:!0}),addEventListener(`resize`,t),()=>{a.disconnect(),removeEventListener(`scroll`,t),removeEventListener(`resize`,t)}},[e,r]),n}function en(e,t,n,r,i){let a=(0,z.useRef)(null);(0,z.useLayoutEffect)(()=>{a.current!==null&&sn(t.current,a.current)&&(a.current=null)}),(0,z.useImperativeHandle)(e,()=>({move(e){let o=n.indexOf(an(t.current)??``),s=o>=0?o+e:Math.max(0,n.indexOf(r.anchor?.key??``)),c=n[Math.min(Math.max(s,0),n.length-1)];c===void 0||sn(t.current,c)||(a.current=c,r.anchor={key:c,offset:innerHeight/3},i())},toTop(){r.anchor=null,i(),scrollTo({top:0})}}))}function tn(e,t,n){let r=(0,z.useRef)(!0);(0,z.useLayoutEffect)(()=>{if(!r.current)return;r.current=!1;let i=document.activeElement?.closest(`main *, dialog, input, button, a`);n&&!i&&t.focused!==null&&on(e.current,t.focused)?.focus({preventScroll:!0})})}var Q=e=>[...e.children];function nn(e,t){if(!e)return;for(let n of Q(e)){let{key:e}=n.dataset,{height:r}=n.getBoundingClientRect();e!==void 0&&r>0&&t.heights.set(e,r)}let{anchor:n}=t,r=n&&Q(e).find(e=>e.dataset.key===n.key);if(!r)return;let i=r.getBoundingClientRect().top-n.offset;Math.abs(i)>=1&&scrollBy({top:i,behavior:`instant`})}function rn(e,t,n,r){let{top:i}=e.getBoundingClientRect();if(i>=0&&!r)return null;for(let t of Q(e)){let e=t.getBoundingClientRect(),{key:n}=t.dataset;if(e.bottom>0&&e.top<innerHeight&&n!==void 0)return{key:n,offset:e.top}}let a=i;for(let e of t){let t=n.heights.get(e)??n.estimate;if(a+t>0)return{key:e,offset:a};a+=t}return null}function an(e){let t=document.activeElement?.closest(`.window-item`);return t&&e?.contains(t)?t.dataset.key:void 0}function on(e,t){return(e&&Q(e).find(e=>e.dataset.key===t))?.querySelector(`article`)??null}function sn(e,t){let n=on(e,t);return n?(n.focus({preventScroll:!0}),n.scrollIntoView({block:`nearest`}),!0):!1}var cn=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},n={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_post`,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[e,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},t,n],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[t,n],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[e,{args:null,kind:`FragmentSpread`,name:`PostCard_quoted`}],storageKey:null},{args:null,kind:`FragmentSpread`,name:`PostActions_post`},{args:null,kind:`FragmentSpread`,name:`PostMenu_post`}],type:`Post`,abstractKey:null}})();cn.hash=`aeae1b40a2a58bc4aeec71e73a9d06d1`;var ln={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostCard_quoted`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null}],type:`Post`,abstractKey:null};ln.hash=`a62375c7d23d08bbedf7eef86aafc2a1`;function un({text:e}){return x(e).map((e,t)=>{switch(e.kind){case`link`:return(0,U.jsx)(`a`,{href:e.href,target:`_blank`,rel:`noreferrer nofollow`,children:ne(e.href)+(e.text.length>40?`/…`:e.text.replace(/^https?:\/\/[^/]+/,``))},t);case`mention`:return(0,U.jsx)(I,{href:D(e.handle),children:e.text},t);default:return e.text}})}function dn({postId:e,text:t,onDone:n}){let[r,i]=(0,z.useState)(t),a=F(),o=()=>{he(r)>5e3||(n(),r!==t&&a(dt(e,r,new Date().toISOString()),T.edit.failed))};return(0,U.jsxs)(`form`,{className:`edit`,onSubmit:e=>{e.preventDefault(),o()},onKeyDown:e=>e.key===`Escape`&&n(),children:[(0,U.jsx)(Ct,{label:T.edit.label,value:r,onChange:i,onSend:o,autoFocus:!0}),(0,U.jsxs)(`div`,{className:`edit-foot`,children:[(0,U.jsx)(`button`,{type:`button`,className:`button button-small`,onClick:n,children:T.edit.cancel}),(0,U.jsx)(`button`,{type:`submit`,className:`button button-small button-primary`,children:T.edit.save})]})]})}var fn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostActions_post`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null}],type:`Post`,abstractKey:null};fn.hash=`9de827b1f6d2fdfdb6dd61a461e0cc51`;var pn=80;function mn(e){let[t,n]=(0,z.useState)(!1),r=(0,z.useRef)(null),i=(0,z.useRef)(null),a=(0,z.useRef)(null);(0,z.useEffect)(()=>{if(!t)return;let e=a.current;e&&e.getBoundingClientRect().bottom>innerHeight-pn&&e.classList.add(`menu-up`),e?.querySelector(`[role=menuitem]`)?.focus({preventScroll:!0});let i=e=>{r.current?.contains(e.target)||n(!1)};return addEventListener(`pointerdown`,i),()=>removeEventListener(`pointerdown`,i)},[t]);let o=()=>{n(!1),i.current?.focus()};return(0,U.jsxs)(`div`,{ref:r,className:`menu-box`,children:[(0,U.jsx)(`button`,{ref:i,type:`button`,className:e.className??`icon-button`,"aria-haspopup":`menu`,"aria-expanded":t,"aria-label":e.label,onClick:()=>n(!t),children:e.children}),t&&(0,U.jsx)(`div`,{ref:a,className:`menu`,role:`menu`,"aria-label":e.label,tabIndex:-1,onKeyDown:e=>hn(e,a.current,o),children:e.items.map(e=>(0,U.jsxs)(`button`,{type:`button`,role:`menuitem`,tabIndex:-1,className:e.danger?`menu-item menu-danger`:`menu-item`,onClick:()=>{o(),e.run()},children:[(0,U.jsx)(`span`,{children:e.label}),e.hint&&(0,U.jsx)(`small`,{children:e.hint})]},e.label))})]})}function hn(e,t,n){let r=[...t?.querySelectorAll(`[role=menuitem]`)??[]],i=r.indexOf(document.activeElement),a={ArrowDown:i+1,ArrowUp:i-1,Home:0,End:r.length-1}[e.key];if(a!==void 0)r.at(a%r.length)?.focus();else if(e.key===`Escape`||e.key===`Tab`)n();else return;e.preventDefault(),e.stopPropagation()}function gn({post:e}){let t=(0,B.useFragment)(fn,e),{compose:n,signedIn:r,account:i}=P(),a=F(),o={name:t.author.name,handle:t.author.handle,text:t.text},{counters:s}=t;return(0,U.jsxs)(`div`,{className:`actions`,role:`group`,"aria-label":T.actions.group,children:[(0,U.jsxs)(`button`,{type:`button`,className:`action`,"data-action":`reply`,"aria-label":T.actions.reply(s.comments),onClick:()=>n({text:``,replyTo:t.id,about:o}),children:[(0,U.jsx)(E,{name:`reply`}),` `,(0,U.jsx)(vn,{of:s.comments})]}),(0,U.jsxs)(mn,{label:T.actions.repost(s.reposts),className:`action`,items:[{label:T.actions.repostNow,hint:T.actions.repostHint,run:()=>r(()=>void a(ht({text:``,repostOf:t.id},bt(),i?.id??null),T.actions.repostFailed))},{label:T.actions.quote,hint:T.actions.quoteHint,run:()=>n({text:``,repostOf:t.id,about:o})}],children:[(0,U.jsx)(E,{name:`repost`}),` `,(0,U.jsx)(vn,{of:s.reposts})]}),(0,U.jsx)(_n,{name:`like`,icon:`like`,label:T.actions.like(s.likes),on:t.viewerHasLiked,count:s.likes,onClick:()=>r(()=>void a(st(t),t.viewerHasLiked?T.actions.unlikeFailed:T.actions.likeFailed))}),(0,U.jsx)(_n,{name:`favorite`,icon:`favorite`,label:T.actions.favorite(s.favorites),on:t.viewerHasFavorited,count:s.favorites,onClick:()=>r(()=>void a(ut(t),t.viewerHasFavorited?T.actions.unfavoriteFailed:T.actions.favoriteFailed))})]})}function _n({name:e,icon:t,label:n,on:r,count:i,onClick:a}){return(0,U.jsxs)(`button`,{type:`button`,className:`action action-${e}`,"data-action":e,"aria-pressed":r,"aria-label":n,onClick:a,children:[(0,U.jsx)(E,{name:t,filled:r}),` `,(0,U.jsx)(vn,{of:i})]})}function vn({of:e}){return(0,U.jsx)(`span`,{className:`count`,children:e>0?m(e):``})}var yn=(function(){var e={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},t=[e];return{argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`PostMenu_post`,selections:[e,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{args:null,kind:`FragmentSpread`,name:`useRelations_user`}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:t,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:t,storageKey:null}],type:`Post`,abstractKey:null}})();yn.hash=`5c2bf0e4cc86ef3b49a04a38ada31d85`;var bn={argumentDefinitions:[],kind:`Fragment`,metadata:null,name:`useRelations_user`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],type:`User`,abstractKey:null};bn.hash=`cc6d4c9048100559422c455c97249aad`;var xn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`followUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationFollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationFollowMutation`,selections:t},params:{cacheID:`d82025c4af432cf7dfdc84680b4d2ac9`,id:null,metadata:{},name:`relationFollowMutation`,operationKind:`mutation`,text:`mutation relationFollowMutation(
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
`}}})();xn.hash=`9d54221965ca0288f1a84647c72d4364`;var Sn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unfollowUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnfollowMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnfollowMutation`,selections:t},params:{cacheID:`ba78124df60748a9a0aea5b3cf163f5c`,id:null,metadata:{},name:`relationUnfollowMutation`,operationKind:`mutation`,text:`mutation relationUnfollowMutation(
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
`}}})();Sn.hash=`de1665415316fec067867515ef62479f`;var Cn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`muteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationMuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationMuteMutation`,selections:t},params:{cacheID:`359baa413f8d2557a9667bd9310b2704`,id:null,metadata:{},name:`relationMuteMutation`,operationKind:`mutation`,text:`mutation relationMuteMutation(
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
`}}})();Cn.hash=`c53e2783a4b69296cf3d3947b3e96edb`;var wn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unmuteUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnmuteMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnmuteMutation`,selections:t},params:{cacheID:`8b1c8b99a58e93446535564b835a07c0`,id:null,metadata:{},name:`relationUnmuteMutation`,operationKind:`mutation`,text:`mutation relationUnmuteMutation(
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
`}}})();wn.hash=`a4954af8767c71a8291b3d2800807af9`;var Tn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`hideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationHideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationHideMutation`,selections:t},params:{cacheID:`82c6b935c43f2ace1b8da2f7b38f813e`,id:null,metadata:{},name:`relationHideMutation`,operationKind:`mutation`,text:`mutation relationHideMutation(
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
`}}})();Tn.hash=`113eb6f87f516bee3c420d581a14ff56`;var En=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unhideFromUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnhideMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnhideMutation`,selections:t},params:{cacheID:`89b60f9f69aabdcb2dee807c1a760671`,id:null,metadata:{},name:`relationUnhideMutation`,operationKind:`mutation`,text:`mutation relationUnhideMutation(
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
`}}})();En.hash=`65ca586a2bba70c98385b9d12c90604f`;var Dn=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`blockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationBlockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationBlockMutation`,selections:t},params:{cacheID:`ad4ede9c1d56aff8892d721c2da7b0d5`,id:null,metadata:{},name:`relationBlockMutation`,operationKind:`mutation`,text:`mutation relationBlockMutation(
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
`}}})();Dn.hash=`83c739d2c1821efd7c7dbab04b43e870`;var On=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`input`}],t=[{alias:`payload`,args:[{kind:`Variable`,name:`input`,variableName:`input`}],concreteType:`UserPayload`,kind:`LinkedField`,name:`unblockUser`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`UserError`,kind:`LinkedField`,name:`userErrors`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`code`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`message`,storageKey:null}],storageKey:null}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`relationUnblockMutation`,selections:t,type:`Mutation`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`relationUnblockMutation`,selections:t},params:{cacheID:`1caa1bd1927fac962e99b7c4133148de`,id:null,metadata:{},name:`relationUnblockMutation`,operationKind:`mutation`,text:`mutation relationUnblockMutation(
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
`}}})();On.hash=`dd97e14971391fb593847eb855f28a76`;var kn={follow:`viewerFollows`,mute:`viewerMutes`,hide:`viewerHidesFrom`,block:`viewerBlocks`},An={follow:[xn,Sn],mute:[Cn,wn],hide:[Tn,En],block:[Dn,On]};function jn(e,t){let n=!t[kn[e]];return{mutation:An[e][+!n],variables:{input:{userId:t.id}},optimisticUpdater:r=>{let i=r.get(t.id);i?.setValue(n,kn[e]),e===`follow`&&i?.getLinkedRecord(`counters`)?.setValue(t.counters.followers+(n?1:-1),`followers`),Mn(e,n)&&Nn(r,t.id)},updater:r=>{e===`block`&&r.get(t.id)?.invalidateRecord(),Mn(e,n)?Nn(r,t.id):Pn(r)}}}function Mn(e,t){return e===`follow`?!t:e!==`hide`&&t}function Nn(e,t){let n=J(e),r=n?.getLinkedRecords(`edges`);if(!n||!r)return;let i=r.filter(e=>{let n=e?.getLinkedRecord(`node`);return![n,n?.getLinkedRecord(`repostOf`)].map(e=>e?.getLinkedRecord(`author`)?.getDataID()).includes(t)});n.setLinkedRecords(i,`edges`)}function Pn(e){e.get(V.ROOT_ID)?.getLinkedRecord(`viewer`)?.invalidateRecord()}var Fn=[`follow`,`mute`,`hide`,`block`];function In(e){let t=(0,B.useFragment)(bn,e),n=F(),r=C(),{handle:i}=t;return Fn.map(e=>{let a=T.relations[e],o=t[kn[e]],s=o?a.off(i):a.on(i),c=async()=>{await n(jn(e,t),T.relations.failed(s))&&r.show({tone:`good`,title:o?a.undone(i):a.done(i)})};return{relation:e,on:o,label:s,run:()=>void c(),...!o&&{hint:a.hint},...e===`block`&&!o&&{danger:!0}}})}function Ln({post:e,own:t,alone:n,onEdit:r}){let i=(0,B.useFragment)(yn,e),[a,o]=(0,z.useState)(!1),{signedIn:s}=P(),c=C(),l=F(),u=In(i.author),d=()=>{let e=new URL(A(i.id),location.href).href;navigator.clipboard?.writeText(e).then(()=>c.show({tone:`good`,title:T.postMenu.copied}),()=>c.show({tone:`bad`,title:T.postMenu.copyFailed,text:e}))},f=async()=>{let e=ft({id:i.id,replyTo:i.replyTo?.id??null,repostOf:i.repostOf?.id??null});n&&se(`/`),await l(e,T.postMenu.removeFailed)&&c.show({tone:`good`,title:T.postMenu.removed})},p=[...t?[{label:T.postMenu.edit,run:r},{label:T.postMenu.remove,danger:!0,run:()=>o(!0)}]:u.map(e=>({...e,run:()=>s(e.run)})),{label:T.postMenu.copyLink,run:d}];return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(mn,{label:T.postMenu.label(i.author.handle),items:p,children:(0,U.jsx)(E,{name:`more`})}),a&&(0,U.jsx)(He,{title:T.postMenu.removeTitle,text:T.postMenu.removeText,yes:T.postMenu.remove,onYes:()=>void f(),onClose:()=>o(!1)})]})}function Rn({post:e,position:t,total:n,alone:r=!1}){let i=(0,B.useFragment)(cn,e),{session:a}=N(),[o,s]=(0,z.useState)(!1),c=gt(i.id),l=a.user?.id===i.author.databaseId,u=()=>!r&&!c&&L(A(i.id)),d=`${i.id}-author ${i.id}-text`;return(0,U.jsxs)(`article`,{className:`post${r?` post-alone`:``}${c?` post-pending`:``}`,tabIndex:0,"data-post":i.id,"aria-labelledby":d,"aria-posinset":t,"aria-setsize":n,"aria-busy":c,onClick:e=>Bn(e)&&u(),onKeyDown:e=>e.key===`Enter`&&e.target===e.currentTarget&&u(),children:[(0,U.jsx)(I,{href:D(i.author.handle),className:`post-face`,tabIndex:-1,"aria-hidden":`true`,children:(0,U.jsx)(R,{user:i.author})}),(0,U.jsxs)(`div`,{className:`post-main`,children:[(0,U.jsx)(zn,{post:i,alone:r,pending:c}),(0,U.jsxs)(`div`,{id:`${i.id}-text`,children:[o?(0,U.jsx)(dn,{postId:i.id,text:i.text,onDone:()=>s(!1)}):(0,U.jsx)(Hn,{of:i.text}),(0,U.jsx)(Wn,{urls:i.media}),i.repostOf?(0,U.jsx)(Vn,{post:i.repostOf}):i.kind===`REPOST`&&(0,U.jsx)(Un,{})]}),!c&&(0,U.jsxs)(`footer`,{className:`post-foot`,children:[(0,U.jsx)(gn,{post:i}),(0,U.jsx)(Ln,{post:i,own:l,alone:r,onEdit:()=>s(!0)})]})]})]})}function zn({post:e,alone:t,pending:n}){let{author:r}=e;return(0,U.jsxs)(`header`,{className:`post-head`,children:[(0,U.jsxs)(`span`,{id:`${e.id}-author`,className:`post-by`,children:[(0,U.jsx)(I,{href:D(r.handle),className:`post-name`,dir:`auto`,children:r.name}),` `,(0,U.jsxs)(`span`,{className:`post-handle`,children:[`@`,r.handle]}),e.kind===`REPOST`&&(0,U.jsxs)(`span`,{className:`post-note`,children:[` `,(0,U.jsx)(E,{name:`repost`}),` `,T.post.reposted]})]}),(0,U.jsxs)(`span`,{className:`post-time`,children:[n?T.post.sending:(0,U.jsx)(I,{href:A(e.id),className:`quiet-link`,children:(0,U.jsx)(d,{moment:e.publishedAt})}),e.editedAt&&(0,U.jsxs)(`span`,{title:T.post.editedAt(e.editedAt),children:[` · `,T.post.edited]})]}),e.replyTo&&!t&&(0,U.jsxs)(I,{href:A(e.replyTo.id),className:`post-context quiet-link`,children:[(0,U.jsx)(E,{name:`reply`}),` `,T.post.replyingTo(e.replyTo.author.handle)]})]})}function Bn(e){return!e.target.closest(`a, button, input, textarea, [role=menu], dialog`)&&!getSelection()?.toString()}function Vn({post:e}){let t=(0,B.useFragment)(ln,e);return(0,U.jsxs)(`div`,{className:`quoted`,children:[(0,U.jsxs)(`p`,{className:`post-by`,children:[(0,U.jsx)(R,{user:t.author,size:`small`}),(0,U.jsx)(I,{href:D(t.author.handle),className:`post-name`,dir:`auto`,children:t.author.name}),` `,(0,U.jsxs)(`span`,{className:`post-handle`,children:[`@`,t.author.handle]}),(0,U.jsx)(I,{href:A(t.id),className:`quiet-link post-time`,children:(0,U.jsx)(d,{moment:t.publishedAt})})]}),(0,U.jsx)(Hn,{of:t.text}),(0,U.jsx)(Wn,{urls:t.media})]})}function Hn({of:e}){return e&&(0,U.jsx)(`p`,{className:`post-text`,dir:`auto`,children:(0,U.jsx)(un,{text:e})})}function Un(){return(0,U.jsx)(`p`,{className:`quoted quoted-gone`,children:T.post.unavailable})}function Wn({urls:e}){return e.length?(0,U.jsx)(`ul`,{className:`media`,"aria-label":T.post.media,children:e.map((e,t)=>(0,U.jsx)(`li`,{children:(0,U.jsxs)(`a`,{href:e,target:`_blank`,rel:`noreferrer nofollow`,children:[(0,U.jsx)(E,{name:`picture`}),` `,(0,U.jsx)(`span`,{children:ne(e)}),(0,U.jsx)(`span`,{className:`hidden`,children:T.post.opensElsewhere})]})},t))}):null}var Gn=150;function Kn(e){let{edges:t,hasNext:n,loadNext:r,loadingNext:i,above:a,line:o}=e,[s,c]=(0,z.useState)(null),[l]=(0,z.useState)(()=>{let n=Xt(k.get().key,e.label,Gn);return a?.more&&t[0]&&(n.anchor??={key:t[0].node.id,offset:0}),n}),[u]=(0,z.useState)(()=>k.get().returned),d=()=>{!i&&n&&(c(null),r(20,{onComplete:c}))};return!t.length&&!n?e.empty:(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(Qt,{ref:e.ref,label:e.label,items:t,keyOf:e=>e.node.id,memory:l,returned:u,busy:i||(a?.loading??!1),moreAbove:a?.more??!1,onNearEnd:()=>s||d(),...a&&{onNearTop:()=>a.more&&a.load()},render:(e,r)=>(0,U.jsxs)(U.Fragment,{children:[o&&o.before===e.node.id&&r>0&&(0,U.jsx)(qn,{text:o.text}),(0,U.jsx)(Rn,{post:e.node,position:r+1,total:n?-1:t.length})]})}),(0,U.jsx)(g,{loading:i,failure:s,hasMore:n,retry:d,end:e.end})]})}function qn({text:e}){return(0,U.jsxs)(`div`,{className:`tide-line`,role:`separator`,"aria-label":e,children:[(0,U.jsx)(`svg`,{viewBox:`0 0 600 14`,preserveAspectRatio:`none`,"aria-hidden":`true`,children:(0,U.jsx)(`path`,{d:`M0 7c12.5-8 25-8 37.5 0s25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0 25-8 37.5 0 25 8 37.5 0`})}),(0,U.jsx)(`span`,{"aria-hidden":`true`,children:e})]})}var Jn=j({posts:[],counted:0});function Yn(e,t,n){let r=(0,B.useRelayEnvironment)(),i=de(),{posts:a,counted:o}=O(i?.state??Jn),s=(0,z.useMemo)(()=>{let n=e.map(e=>({...e.node,cursor:e.cursor}));return a.map(e=>({post:e,at:Se(e,n,t)}))},[a,e,t]);(0,z.useEffect)(()=>{i?.setTop(t),n&&i?.count()},[i,t,n]),(0,z.useEffect)(()=>{let e=s.filter(({at:e})=>e!==`above`);if(e.length&&i){for(let{post:t,at:n}of e)Xn(r,t,n);i.settle(new Set(e.map(({post:e})=>e.id)))}},[r,i,s]);let c=s.filter(({at:e})=>e===`above`).map(({post:e})=>e),l=[...new Map(c.reverse().map(({author:e})=>[e.databaseId,e])).values()];return{count:Ce(c.length,o),authors:l}}function Xn(e,t,n){typeof n!=`string`&&(0,B.commitLocalUpdate)(e,e=>{let r=J(e),i=e.get(t.id);if(!r||!i)return;let a=V.ConnectionHandler.createEdge(e,r,i,`FeedEdge`);a.setValue(t.cursor,`cursor`),V.ConnectionHandler.insertEdgeBefore(r,a,n.before)})}function Zn(e){let t=(0,z.useRef)(e);(0,z.useEffect)(()=>{t.current=e}),(0,z.useEffect)(()=>{let e=()=>{let e=Qn(),n=t.current.findIndex(t=>t.node.id===e);Bt(k.get().key,n>0?t.current[n-1]?.cursor??null:null)};return addEventListener(`pagehide`,e),()=>removeEventListener(`pagehide`,e)},[])}function Qn(){return[...document.querySelectorAll(`.window-item`)].find(e=>e.getBoundingClientRect().bottom>0)?.dataset.key}var $n=60;function er({viewer:e}){let t=(0,B.usePaginationFragment)(Ut,e),{edges:n,pageInfo:r}=t.data.homeFeed,i=(0,z.useMemo)(()=>n.filter(e=>e.node!=null),[n]),a=(0,z.useRef)(null),o=Yn(i,r.startCursor??null,r.hasPreviousPage),{line:s,toNewest:c,busy:l}=tr({pages:t,pageInfo:r,list:a,first:i[0]?.node.id??null,missing:o.count});Zn(i),Y(`.`,c),Y(`j`,()=>a.current?.move(1)),Y(`k`,()=>a.current?.move(-1));let{loadPrevious:u,isLoadingPrevious:d}=t,[f,p]=(0,z.useState)(!1),m=(0,z.useCallback)(()=>{d||f||u(20,{onComplete:e=>p(e!==null)})},[u,d,f]);return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(qt,{count:o.count,authors:o.authors,busy:l,onClick:c}),(0,U.jsx)(Kn,{ref:a,label:T.home.feed,edges:i,hasNext:t.hasNext,loadNext:t.loadNext,loadingNext:t.isLoadingNext,above:{more:r.hasPreviousPage,loading:d,load:m},line:s?{before:s,text:T.home.newEndsHere}:null,end:T.home.end,empty:(0,U.jsxs)(M,{icon:`home`,title:T.home.empty,children:[(0,U.jsx)(`p`,{children:T.home.emptyHint}),(0,U.jsx)(I,{className:`button button-primary`,href:`/search`,children:T.app.findPeople})]})})]})}function tr({pages:e,pageInfo:t,list:n,first:r,missing:i}){let a=(0,B.useRelayEnvironment)(),o=de(),c=C(),[l,u]=(0,z.useState)(null),[d,f]=(0,z.useState)(!1),{loadPrevious:p,isLoadingPrevious:m}=e,{hasPreviousPage:h,startCursor:g}=t,_=async()=>{if(d)return;f(!0);let e=o?.announced()??[];try{g&&!h&&!m&&i<=$n?await new Promise((e,t)=>p(100,{onComplete:n=>n?t(n):e()})):await(0,B.fetchQuery)(a,Gt,{first:20,after:null},{fetchPolicy:`network-only`}).toPromise(),o?.read(e),i>0&&u(r),n.current?.toTop()}catch(e){let t=b(e),{requestId:n,away:r}=t;c.show({tone:`bad`,title:T.home.newFailed,text:s(t),requestId:n,away:r,action:{label:T.messages.tryAgain,run:()=>void _()}})}finally{f(!1)}},v=(0,z.useRef)(_);return(0,z.useEffect)(()=>{v.current=_}),{line:l,busy:d,toNewest:(0,z.useCallback)(()=>void v.current(),[])}}function nr({attempt:e}){let[t]=(0,z.useState)(()=>k.get().key),n=e===0?Vt(t):null,{viewer:r}=(0,B.useLazyLoadQuery)(Gt,{first:20,after:n},{fetchKey:e});return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(`h1`,{className:`hidden`,tabIndex:-1,children:T.navigation.home}),(0,U.jsx)(`div`,{className:`home-composer`,children:(0,U.jsx)(wt,{draft:{text:``}})}),r&&(0,U.jsx)(er,{viewer:r})]})}var rr=(function(){var e={defaultValue:null,kind:`LocalArgument`,name:`first`},t={defaultValue:null,kind:`LocalArgument`,name:`id`},n=[{kind:`Variable`,name:`id`,variableName:`id`}],r={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},o={args:null,kind:`FragmentSpread`,name:`PostCard_post`},s=[{kind:`Variable`,name:`first`,variableName:`first`}],c={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},d={alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},f={alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},p={alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},m={alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null},h={alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},g={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},_={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},v={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},y={alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},b={alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[r,l,a,i,u,d,f,p,m],storageKey:null},x={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[a,i,r],storageKey:null}],storageKey:null},S={alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[r,g,_,v,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,a,i,r],storageKey:null}],storageKey:null},C={alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},w={alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},T={alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null};return{fragment:{argumentDefinitions:[e,t],kind:`Fragment`,metadata:null,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{fragment:{kind:`InlineFragment`,selections:[r,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,o],storageKey:null},o,{args:s,kind:`FragmentSpread`,name:`PostComments_post`}],type:`Post`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:[t,e],kind:`Operation`,name:`PostPageQuery`,selections:[{alias:null,args:n,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[c,r,{kind:`InlineFragment`,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,a,r,l,u,d,f,p,m],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[r,h,g,_,v,y,b,x,S,C,w,T],storageKey:null},h,g,_,v,y,S,C,w,T,{alias:null,args:s,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,h,g,_,v,y,b,x,S,C,w,T,c],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:s,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`e33330cd7fc639fb1de04e2c9ce86c19`,id:null,metadata:{},name:`PostPageQuery`,operationKind:`query`,text:`query PostPageQuery(
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
`}}})();rr.hash=`8d43625e4928efb1f23a574c41d4f7ff`;var ir=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`},{defaultValue:null,kind:`LocalArgument`,name:`id`}],t=[{kind:`Variable`,name:`id`,variableName:`id`}],n=[{kind:`Variable`,name:`after`,variableName:`after`},{kind:`Variable`,name:`first`,variableName:`first`}],r={alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},i={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},a={alias:null,args:null,kind:`ScalarField`,name:`text`,storageKey:null},o={alias:null,args:null,kind:`ScalarField`,name:`media`,storageKey:null},s={alias:null,args:null,kind:`ScalarField`,name:`publishedAt`,storageKey:null},c={alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},l={alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},u={alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[{args:n,kind:`FragmentSpread`,name:`PostComments_post`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`PostCommentsPageQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`node`,plural:!1,selections:[r,i,{kind:`InlineFragment`,selections:[{alias:null,args:n,concreteType:`FeedConnection`,kind:`LinkedField`,name:`comments`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[i,{alias:null,args:null,kind:`ScalarField`,name:`kind`,storageKey:null},a,o,s,{alias:null,args:null,kind:`ScalarField`,name:`editedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[i,c,l,u,{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHidesFrom`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null},{alias:null,args:null,concreteType:`UserCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`followers`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`replyTo`,plural:!1,selections:[i,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[l,u,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`repostOf`,plural:!1,selections:[i,a,o,s,{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`author`,plural:!1,selections:[c,l,u,i],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PostCounters`,kind:`LinkedField`,name:`counters`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`likes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`comments`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`reposts`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`favorites`,storageKey:null}],storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasLiked`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerHasFavorited`,storageKey:null},r],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:n,filters:null,handle:`connection`,key:`PostComments_comments`,kind:`LinkedHandle`,name:`comments`}],type:`Post`,abstractKey:null}],storageKey:null}]},params:{cacheID:`581eb826f66d100e9f7ee934ead8ab15`,id:null,metadata:{},name:`PostCommentsPageQuery`,operationKind:`query`,text:`query PostCommentsPageQuery(
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
`}}})();ir.hash=`3b9bf2976104d5471d7847fa8315b561`;var ar=(function(){var e=[`comments`],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{argumentDefinitions:[{defaultValue:null,kind:`LocalArgument`,name:`after`},{defaultValue:null,kind:`LocalArgument`,name:`first`}],kind:`Fragment`,metadata:{connection:[{count:`first`,cursor:`after`,direction:`forward`,path:e}],refetch:{connection:{forward:{count:`first`,cursor:`after`},backward:null,path:e},fragmentPathInResult:[`node`],operation:ir,identifierInfo:{identifierField:`id`,identifierQueryVariableName:`id`}}},name:`PostComments_post`,selections:[{alias:`comments`,args:null,concreteType:`FeedConnection`,kind:`LinkedField`,name:`__PostComments_comments_connection`,plural:!1,selections:[{alias:null,args:null,concreteType:`FeedEdge`,kind:`LinkedField`,name:`edges`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`cursor`,storageKey:null},{alias:null,args:null,concreteType:`Post`,kind:`LinkedField`,name:`node`,plural:!1,selections:[t,{args:null,kind:`FragmentSpread`,name:`PostCard_post`},{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null}],storageKey:null}],storageKey:null},{alias:null,args:null,concreteType:`PageInfo`,kind:`LinkedField`,name:`pageInfo`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`endCursor`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`hasNextPage`,storageKey:null}],storageKey:null}],storageKey:null},t],type:`Post`,abstractKey:null}})();ar.hash=`3b9bf2976104d5471d7847fa8315b561`;function or({post:e}){let{data:t,hasNext:n,loadNext:r,isLoadingNext:i}=(0,B.usePaginationFragment)(ar,e);return(0,U.jsx)(`section`,{"aria-label":T.post.replies,children:(0,U.jsx)(Kn,{label:T.post.repliesTo,edges:t.comments.edges.filter(e=>e.node!=null),hasNext:n,loadNext:r,loadingNext:i,empty:(0,U.jsx)(`p`,{className:`list-end`,children:T.post.noReplies}),end:T.post.noMoreReplies})})}function sr({id:e,attempt:t}){let{node:n}=(0,B.useLazyLoadQuery)(rr,{id:e,first:20},{fetchKey:t,fetchPolicy:`store-and-network`}),{session:r}=N(),i=n?.post;return i?(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(fe,{title:T.post.titleBy(i.author.name),back:!0}),i.replyTo&&(0,U.jsx)(`div`,{className:`thread-parent`,children:(0,U.jsx)(Rn,{post:i.replyTo})}),(0,U.jsx)(Rn,{post:i,alone:!0}),r.user&&(0,U.jsx)(`div`,{className:`home-composer`,children:(0,U.jsx)(wt,{draft:{text:``,replyTo:i.id}},i.id)}),(0,U.jsx)(or,{post:i})]}):(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(fe,{title:T.post.title,back:!0}),(0,U.jsx)(M,{icon:`reply`,title:T.post.notFound,children:(0,U.jsx)(`p`,{children:T.post.notFoundHint})})]})}function cr({label:e=T.server.developers}){return(0,U.jsxs)(`nav`,{className:`server-links`,"aria-label":e,children:[(0,U.jsx)(`a`,{href:`/graphiql`,children:T.server.graphiql}),(0,U.jsx)(`a`,{href:`/schema.graphql`,children:T.server.schema}),(0,U.jsx)(`a`,{href:`/tasks`,children:T.server.tasks}),(0,U.jsx)(`a`,{href:`/healthz`,children:T.server.health})]})}function lr(){return(0,z.useEffect)(()=>{document.title=T.app.name},[]),(0,U.jsxs)(`div`,{className:`welcome`,children:[(0,U.jsxs)(`div`,{className:`welcome-words`,children:[(0,U.jsx)(ee,{}),(0,U.jsx)(`h1`,{tabIndex:-1,children:T.app.name}),(0,U.jsx)(`p`,{className:`lead`,children:T.signIn.lead}),(0,U.jsx)(cr,{})]}),(0,U.jsx)(Et,{}),(0,U.jsx)(ur,{})]})}function ur(){return(0,U.jsxs)(`svg`,{className:`sea`,viewBox:`0 0 1200 220`,preserveAspectRatio:`none`,"aria-hidden":`true`,focusable:`false`,children:[(0,U.jsx)(`path`,{d:`M0 70c100-60 200-60 300 0s200 60 300 0 200-60 300 0 200 60 300 0v150H0Z`}),(0,U.jsx)(`path`,{d:`M0 120c75-44 150-44 225 0s150 44 225 0 150-44 225 0 150 44 225 0 150-44 300 0v100H0Z`}),(0,U.jsx)(`path`,{d:`M0 165c120-38 240-38 360 0s240 38 360 0 240-38 480 0v55H0Z`})]})}var dr=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`first`}],t={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null},n=[{alias:null,args:null,concreteType:`Viewer`,kind:`LinkedField`,name:`viewer`,plural:!1,selections:[{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`user`,plural:!1,selections:[t],storageKey:null},{alias:null,args:[{kind:`Variable`,name:`first`,variableName:`first`}],concreteType:`LiveConnection`,kind:`LinkedField`,name:`liveFeed`,plural:!1,selections:[{alias:null,args:null,concreteType:`LiveSession`,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[t,{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerFollows`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerMutes`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`viewerBlocks`,storageKey:null}],storageKey:null}],storageKey:null}],storageKey:null},{kind:`ClientExtension`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__id`,storageKey:null}]}],storageKey:null}];return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`LiveNowQuery`,selections:n,type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`LiveNowQuery`,selections:n},params:{cacheID:`c5c0bef5aa34d4f3bb22a7905abadfe6`,id:null,metadata:{},name:`LiveNowQuery`,operationKind:`query`,text:`query LiveNowQuery(
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
`}}})();dr.hash=`1751d078427ff254437a3dfebce7822a`;var fr=class extends z.Component{state={failed:!1};static getDerivedStateFromError(){return{failed:!0}}render(){return this.state.failed?null:this.props.children}};function pr(e,t){let{state:n,scheduledAt:r,startedAt:i,endedAt:a}=e;switch(n){case`UPCOMING`:{let e=Date.parse(r)-t;return e>0?T.live.startsIn(e):T.live.startsSoon}case`LIVE`:return i?T.live.liveFor(t-Date.parse(i)):T.live.liveNow;case`REPLAY`:{if(!a)return T.live.ended;let e=t-Date.parse(a);return i?T.live.endedAfter(e,Date.parse(a)-Date.parse(i)):T.live.endedAgo(e)}}}function mr(e,t,n,r){let i=(0,B.useRelayEnvironment)(),a=JSON.stringify(t),o=(0,z.useMemo)(()=>(0,V.createOperationDescriptor)((0,V.getRequest)(e),JSON.parse(a)).request.identifier,[e,a]),s=(0,z.useCallback)(()=>{te(i,o,e,JSON.parse(a))},[i,o,e,a]);ce(i,o);let c=(0,B.useLazyLoadQuery)(e,t,r),l=n(c);return(0,z.useEffect)(()=>(ae(i,o)&&s(),()=>oe(i,o)),[i,o,s]),(0,B.useSubscribeToInvalidationState)(l?[l]:[],s),c}var hr=(function(){var e=[{defaultValue:null,kind:`LocalArgument`,name:`ids`}],t=[{kind:`Variable`,name:`ids`,variableName:`ids`}],n={alias:null,args:null,kind:`ScalarField`,name:`id`,storageKey:null};return{fragment:{argumentDefinitions:e,kind:`Fragment`,metadata:null,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{fragment:{kind:`InlineFragment`,selections:[n,{args:null,kind:`FragmentSpread`,name:`LiveCard_session`}],type:`LiveSession`,abstractKey:null},kind:`AliasedInlineFragmentSpread`,name:`session`}],storageKey:null}],type:`Query`,abstractKey:null},kind:`Request`,operation:{argumentDefinitions:e,kind:`Operation`,name:`useFreshStatesQuery`,selections:[{alias:null,args:t,concreteType:null,kind:`LinkedField`,name:`nodes`,plural:!0,selections:[{alias:null,args:null,kind:`ScalarField`,name:`__typename`,storageKey:null},n,{kind:`InlineFragment`,selections:[{alias:null,args:null,kind:`ScalarField`,name:`title`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`state`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`scheduledAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`startedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`endedAt`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`replayUrl`,storageKey:null},{alias:null,args:null,concreteType:`User`,kind:`LinkedField`,name:`host`,plural:!1,selections:[{alias:null,args:null,kind:`ScalarField`,name:`databaseId`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`handle`,storageKey:null},{alias:null,args:null,kind:`ScalarField`,name:`name`,storageKey:null},n],storageKey:null}],type:`LiveSession`,abstractKey:null}],storageKey:null}]},params:{cacheID:`e2eb35752487c1f18eeb9e12d79d3d3f`,id:null,metadata:{},name:`useFreshStatesQuery`,operationKind:`query`,text:`query useFreshStatesQuery(
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
`}}})();hr.hash=`bec7d7d0ed7ee98ea27d375bb8ff679a`;var gr=1e4,_r=100;function vr(e){let t=(0,B.useRelayEnvironment)(),n=e.filter(({node:e})=>e!=null&&e.state!==`REPLAY`).map(({node:e})=>e.id),r=(0,z.useRef)(n);(0,z.useEffect)(()=>{r.current=n.slice(0,_r)}),(0,z.useEffect)(()=>{let e=()=>{!document.hidden&&r.current.length&&(0,B.fetchQuery)(t,hr,{ids:r.current},{fetchPolicy:`network-only`}).subscribe({error:()=>void 0})},n=setInterval(e,gr);return document.addEventListener(`visibilitychange`,e),()=>{clearInterval(n),document.removeEventListener(`visibilitychange`,e)}},[t])}var yr=4;function br(){return(0,U.jsx)(fr,{children:(0,U.jsx)(z.Suspense,{children:(0,U.jsx)(Sr,{})})})}var xr=dr;function Sr(){let{viewer:e}=mr(xr,{first:yr},e=>e.viewer?.__id),t=t=>t.id===e?.user.id||t.viewerFollows&&!t.viewerMutes&&!t.viewerBlocks,n=p(`second`);vr((e?.liveFeed.nodes??[]).map(e=>({node:e})));let r=e?.liveFeed.nodes.filter(({state:e,host:n})=>e!==`REPLAY`&&t(n))??[];return r.length?(0,U.jsxs)(`section`,{className:`card live-now`,"aria-labelledby":`live-now-title`,children:[(0,U.jsx)(`h2`,{id:`live-now-title`,children:T.live.asideTitle}),(0,U.jsx)(`ul`,{children:r.map(e=>(0,U.jsxs)(`li`,{className:`live-small live-${e.state.toLowerCase()}`,children:[(0,U.jsx)(R,{user:e.host,size:`small`}),(0,U.jsxs)(`span`,{className:`live-words`,children:[(0,U.jsx)(`span`,{className:`live-title`,dir:`auto`,children:e.title}),(0,U.jsx)(`span`,{className:`live-clock`,children:(0,U.jsx)(`bdi`,{children:e.host.name})}),(0,U.jsx)(`span`,{className:`live-clock`,children:pr(e,n)})]})]},e.id))}),(0,U.jsx)(I,{href:`/live`,className:`card-more`,children:T.live.all})]}):null}function Cr({route:e}){let{session:t}=N(),[n,r]=(0,z.useState)(``);return(0,U.jsxs)(`aside`,{className:`aside`,"aria-label":T.app.sidebar,children:[e.name!==`search`&&(0,U.jsxs)(`form`,{className:`search`,role:`search`,"aria-label":T.app.people,onSubmit:e=>{e.preventDefault(),L(le(n.trim()))},children:[(0,U.jsx)(E,{name:`search`}),(0,U.jsx)(`input`,{type:`search`,dir:`auto`,"aria-label":T.app.findPeople,placeholder:T.app.findPeople,maxLength:100,value:n,onChange:e=>r(e.target.value)})]}),t.user&&e.name!==`live`&&(0,U.jsx)(br,{}),(0,U.jsx)(cr,{}),(0,U.jsx)(`p`,{className:`hint`,children:T.app.shortcutsHint})]})}var wr=j({posts:[],counted:0});function Tr({route:e}){let{session:t}=N(),{compose:n,account:r}=P(),{posts:i,counted:a}=O(de()?.state??wr),o=e.name!==`home`&&Ce(i.length,a)>0,s=r?.handle??t.user?.handle,c=t=>e.name===t,l=[{name:`home`,label:T.navigation.home,icon:`home`,href:`/`,here:c(`home`)},{name:`search`,label:T.navigation.search,icon:`search`,href:`/search`,here:c(`search`)},{name:`live`,label:T.navigation.live,icon:`live`,href:`/live`,here:c(`live`)},...s?[{name:`profile`,label:T.navigation.profile,icon:`person`,href:D(s),here:e.name===`profile`&&e.handle===s}]:[],{name:`settings`,label:T.navigation.settings,icon:`settings`,href:`/settings`,here:c(`settings`)}];return(0,U.jsxs)(`header`,{className:`side`,children:[(0,U.jsxs)(I,{href:`/`,className:`brand`,"aria-label":T.navigation.homeLink,children:[(0,U.jsx)(ee,{}),(0,U.jsx)(`span`,{children:T.app.name})]}),(0,U.jsx)(`nav`,{className:`ways`,"aria-label":T.navigation.main,children:l.map(e=>(0,U.jsxs)(I,{href:e.href,className:`way`,"aria-current":e.here?`page`:void 0,children:[(0,U.jsx)(E,{name:e.icon,filled:!1}),(0,U.jsx)(`span`,{children:e.label}),e.name===`home`&&o&&(0,U.jsx)(`span`,{className:`dot`,children:(0,U.jsx)(`span`,{className:`hidden`,children:T.navigation.newPosts})})]},e.name))}),t.user?(0,U.jsxs)(`button`,{type:`button`,className:`button button-primary side-compose`,onClick:()=>n({text:``}),children:[(0,U.jsx)(E,{name:`compose`}),` `,(0,U.jsx)(`span`,{children:T.navigation.newPost})]}):(0,U.jsxs)(I,{href:`/`,className:`button button-primary side-compose`,children:[(0,U.jsx)(E,{name:`key`}),` `,(0,U.jsx)(`span`,{children:T.navigation.signIn})]})]})}var Er=0,Dr=[],Or=[];function $(e){let t=null,n=!1,r=async()=>{let t=Er;try{return await e()}catch{if(t!==Er)return r();throw n=!0,new h(`UNREACHABLE`,`the page cannot be loaded`)}},i=()=>t??=r();return Dr.push(()=>{n&&=(t=null,!1)}),Or.push(()=>void i().catch(()=>void 0)),function(e){let t=(0,z.use)(i()).default;return(0,U.jsx)(t,{...e})}}var kr=$(()=>H(()=>import(`./client-ProfilePage-ebc8b604.js`),__vite__mapDeps([0,1,2,3,4,5,6]))),Ar=$(()=>H(()=>import(`./client-SearchPage-3cc04e34.js`),__vite__mapDeps([7,1,2,6,3,5]))),jr=$(()=>H(()=>import(`./client-LivePage-9fba219f.js`),__vite__mapDeps([8,1,2,4,5]))),Mr=$(()=>H(()=>import(`./client-SettingsPage-4a228f83.js`),__vite__mapDeps([9,1,2,3,5])));function Nr(){Er++;for(let e of Dr)e()}function Pr(){for(let e of Or)e()}function Fr(){let{reachable:e,limitedUntil:t}=O(pe().status);return(0,U.jsxs)(`div`,{className:`status-place`,role:`status`,children:[!e&&(0,U.jsxs)(`p`,{className:`status-bar`,children:[(0,U.jsx)(E,{name:`offline`}),` `,navigator.onLine?T.status.unreachable:T.status.offline,` `,T.status.stale]}),e&&t>0&&(0,U.jsx)(Ir,{until:t})]})}function Ir({until:e}){let t=Math.ceil((e-p(`second`))/1e3)*1e3;return t<=0?null:(0,U.jsxs)(`p`,{className:`status-bar`,children:[(0,U.jsx)(E,{name:`clock`}),` `,T.status.limited(t)]})}var Lr=new Set([`home`,`profile`,`post`]);function Rr(){let e=O(k),{session:t}=N(),{compose:n}=P(),r=ue(e.path,e.search),i=Vr(e),a=r.name===`home`&&(!t.user||S(e.search,location.href)!==null);return(0,U.jsxs)(`div`,{className:a?`shell shell-welcome`:`shell`,children:[(0,U.jsx)(`a`,{className:`skip`,href:`#main`,children:T.app.skip}),(0,U.jsx)(Fr,{}),!a&&(0,U.jsx)(Tr,{route:r}),(0,U.jsx)(`main`,{id:`main`,ref:i,tabIndex:-1,children:(0,U.jsx)(o,{onRetry:Nr,children:t=>(0,U.jsx)(z.Suspense,{fallback:(0,U.jsx)(_,{label:T.app.loadingPage}),children:a?(0,U.jsx)(lr,{}):(0,U.jsx)(zr,{route:r,attempt:t},e.key)})},e.path)}),!a&&(0,U.jsx)(Cr,{route:r}),!a&&t.user&&Lr.has(r.name)&&(0,U.jsx)(`button`,{type:`button`,className:`compose-button`,"aria-label":T.app.writePost,onClick:()=>n({text:``}),children:(0,U.jsx)(E,{name:`compose`})})]})}function zr({route:e,attempt:t}){switch(e.name){case`home`:return(0,U.jsx)(nr,{attempt:t});case`profile`:return(0,U.jsx)(kr,{handle:e.handle,tab:e.tab,attempt:t});case`post`:return(0,U.jsx)(sr,{id:e.id,attempt:t});case`live`:return(0,U.jsx)(Br,{children:(0,U.jsx)(jr,{attempt:t})});case`search`:return(0,U.jsx)(Ar,{query:e.query});case`settings`:return(0,U.jsx)(Mr,{attempt:t});case`lost`:return(0,U.jsxs)(U.Fragment,{children:[(0,U.jsx)(fe,{title:T.app.notFoundTitle}),(0,U.jsx)(M,{icon:`search`,title:T.app.notFound,children:(0,U.jsx)(I,{className:`button`,href:`/`,children:T.app.goHome})})]})}}function Br({children:e}){let{session:t,expired:n}=N();return t.user?e:(0,U.jsxs)(M,{icon:`key`,title:n?T.signIn.expired:T.app.signInForLive,children:[(0,U.jsx)(`p`,{children:T.app.livePrivate}),(0,U.jsx)(I,{className:`button button-primary`,href:`/`,children:T.navigation.signIn})]})}function Vr(e){let t=(0,z.useRef)(null),n=(0,z.useRef)(!0);return(0,z.useEffect)(()=>{n.current?n.current=!1:e.returned||(scrollTo({top:0,behavior:`instant`}),t.current?.contains(document.activeElement)||t.current?.focus({preventScroll:!0}))},[e.key,e.returned]),t}function Hr({connection:e}){let[t,n]=(0,z.useState)(null),[r,i]=(0,z.useState)(null),[a,o]=(0,z.useState)(!1),s=(0,z.useCallback)(e=>{u().then(t=>{i(null),n(t),o(e&&!t.user)},e=>i(e))},[]),l=(0,z.useCallback)(()=>s(!1),[s]);(0,z.useEffect)(l,[l]);let d=(0,z.useMemo)(()=>t&&{session:t,expired:a,change:e=>{o(!1),n(e)}},[t,a]);return(0,U.jsx)(y,{value:e,children:(0,U.jsxs)(f,{children:[r!==null&&!d&&(0,U.jsx)(`main`,{className:`lone`,children:(0,U.jsx)(v,{error:r,retry:l})}),r===null&&!d&&(0,U.jsx)(`main`,{className:`lone`,children:(0,U.jsx)(_,{label:T.app.loading})}),d&&(0,U.jsx)(c,{value:d,children:(0,U.jsx)(Ur,{connection:e,user:d.session.user?.id??null,signedOut:()=>s(d.session.user!==null)},d.session.user?.id??``)})]})})}function Ur({connection:e,user:t,signedOut:n}){let[{environment:r,news:i}]=(0,z.useState)(()=>{let r=new ze(`/graphql`),i=Ne(e,r,{known:t!==null,signedOut:n});return{environment:i,news:t===null?null:new Ee(i,r)}});return(0,z.useEffect)(()=>i?.start(),[i]),(0,U.jsx)(B.RelayEnvironmentProvider,{environment:r,children:(0,U.jsx)(ie,{value:i,children:(0,U.jsx)(Pt,{children:(0,U.jsx)(Rr,{})})})})}var Wr=[`system`,`light`,`dark`],Gr=`tideline-theme`;function Kr(){let e=localStorage.getItem(Gr);return Wr.find(t=>t===e)??`system`}function qr(e){e===`system`?(localStorage.removeItem(Gr),delete document.documentElement.dataset.theme):(localStorage.setItem(Gr,e),document.documentElement.dataset.theme=e)}var Jr=1e3,Yr=3e4,Xr=class{healthUrl;status=j({reachable:!0,limitedUntil:0});#e;#t=Jr;#n=0;constructor(e){this.healthUrl=e,addEventListener(`offline`,()=>this.lost()),addEventListener(`online`,()=>void this.#i()),navigator.onLine||this.lost()}asked(){let e=this.#n;return()=>{e===this.#n&&this.#r()}}#r(){clearTimeout(this.#e),this.#e=void 0,this.#t=Jr,this.status.get().reachable||this.status.set({...this.status.get(),reachable:!0})}lost(){this.status.get().reachable&&(this.#n++,this.status.set({...this.status.get(),reachable:!1})),this.#e??=setTimeout(()=>void this.#i(),this.#t)}limited(e){this.status.set({...this.status.get(),limitedUntil:Date.now()+Math.max(1,e)*1e3})}async#i(){clearTimeout(this.#e),this.#e=void 0;let e=this.asked();try{await fetch(this.healthUrl,{cache:`no-store`}),e()}catch{this.#t=Math.min(this.#t*2,Yr),this.lost()}}},Zr=2e3;qr(Kr()),re(),addEventListener(`hashchange`,()=>{me(location.hash)!==null&&location.reload()});var Qr=document.getElementById(`client`),$r=e=>{e instanceof h||console.error(e)},ei=new Xr(`/healthz`);ei.status.subscribe(()=>{ei.status.get().reachable&&(Nr(),Pr())}),Qr&&(0,_e.createRoot)(Qr,{onCaughtError:$r}).render((0,U.jsx)(Hr,{connection:ei})),setTimeout(Pr,Zr);export{mr as a,Kn as c,jt as d,Ze as f,vr as i,In as l,qr as n,pr as o,W as p,Kr as r,cr as s,Wr as t,mn as u};